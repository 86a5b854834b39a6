import type { MasterKeyPlacement } from '@gatehouse/key-encryption';
import { defineChange } from '../described/kinds.ts';
import { counted } from '../views/count.ts';

export const keyRewrap = defineChange({
  verb: 'rewrap',
  summary: 'Encrypt all signing keys under a new master key',
  options: {
    newMasterKeyFile: {
      value: 'file',
      description: 'Read the new master key, as `gatehouse key new-master` prints it',
    },
  },
  notes: [
    'Tokens stay valid and running servers keep working. If the command is interrupted, run it again to finish.',
    'The new master key replaces the old one in its file: the one that GATEHOUSE_MASTER_KEY_FILE names, or master.key in the data folder. The old one is kept beside it with the date in its name, because older backups of the database need it. On several machines, first put the new key beside the old one on each, with ".new" added to its name; then run this command on each.',
    'If this command cannot replace the master key, such as one in GATEHOUSE_MASTER_KEY or in a read-only mount, replace it yourself: pass the new one in a file, and put it in place once the keys are encrypted. Restart servers that have GATEHOUSE_MASTER_KEY in their environment with the new key before you activate the next signing key.',
  ],
  examples: [
    'gatehouse key rewrap',
    '(umask 077 && gatehouse key new-master > new.key) && gatehouse key rewrap --new-master-key-file new.key',
  ],
  needs: ({ newMasterKeyFile }) => ({ signs: true, newMasterKeyFile }),
  run: ({ rewrapKeys }, caller, _, { printer }) =>
    printer.progress('Encrypting the signing keys', () => rewrapKeys(caller)),
  note: ({ rewrapped, unchanged, placement }) => [
    rewrapped > 0
      ? `${counted(rewrapped + unchanged, 'signing key')} ${rewrapped + unchanged === 1 ? 'is' : 'are'} now encrypted under the new master key.`
      : 'The signing keys were already encrypted under the new master key.',
    ...(placement ? placementLines(placement) : []),
  ],
  document: ({ rewrapped, unchanged, placement }) => ({
    rewrapped,
    unchanged,
    master_key_file: placement?.kind === 'replaced' ? placement.path : null,
    kept_master_key_file: placement?.kind === 'replaced' ? placement.kept : null,
  }),
});

function placementLines(placement: MasterKeyPlacement): readonly string[] {
  if (placement.kind === 'replaced') {
    return [
      `The new master key is in ${placement.path}. Back it up, apart from the database.`,
      `The old one is kept in ${placement.kept}: older backups of the database need it.`,
    ];
  }
  const place = placement.path ?? 'GATEHOUSE_MASTER_KEY';
  return [
    `This command could not replace the old master key (${placement.because}).`,
    `Put the new one in ${place} now: servers and commands need it to start.`,
    'Keep the old one: older backups of the database need it.',
  ];
}
