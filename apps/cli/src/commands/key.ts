import { ok } from '@gatehouse/domain';
import type { UsedKeyReport } from '@gatehouse/domain/signing-keys';
import type { MasterKeyPlacement } from '@gatehouse/key-encryption';
import { defineAlone, defineChange, defineList } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { KEY_ID } from '../input/parsers.ts';
import { counted } from '../views/count.ts';
import { keyDocument, keyView } from '../views/key-view.ts';
import { timeAgo } from '../views/time.ts';
import { FORMAT } from './shared-options.ts';

const keyRewrap = defineChange({
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

const keyList = defineList({
  verb: 'list',
  summary: 'List the signing keys, oldest first, with their live tokens and when each can be retired',
  notes: [
    'A verify-only key can be retired once the last of its tokens has expired. Tokens without an expiry keep it in use until they are rotated or revoked, or until `gatehouse key retire --revoke-tokens` revokes them.',
  ],
  examples: ['gatehouse key list', 'gatehouse key list --json'],
  view: keyView,
  run: async ({ listKeys }, caller) => ok([unwrap(await listKeys(caller))]),
});

const keyCreate = defineChange({
  verb: 'create',
  summary: 'Create a staged signing key and print its id',
  options: { format: FORMAT },
  examples: ['gatehouse key create --format paseto'],
  needs: () => ({ signs: true }),
  run: async ({ createKey }, caller, { format }, { cli }) =>
    createKey(caller, format ?? (await cli.defaultFormat())),
  note: () =>
    'Created a staged key. Once every server knows it, `gatehouse key activate ID` makes it sign new tokens. Its id:',
  bare: ({ id }) => id,
  document: keyDocument,
});

const keyActivate = defineChange({
  verb: 'activate',
  summary: 'Sign new tokens with a staged key; the previous key keeps verifying',
  arguments: { id: { ...KEY_ID, description: "The key's id", hyphen: true } },
  examples: ['gatehouse key activate k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs'],
  run: ({ activateKey }, caller, { id }) => activateKey(caller, id),
  note: ({ format, id }) => `New ${format} tokens are now signed with the key ${id}.`,
  document: keyDocument,
});

const keyRetire = defineChange({
  verb: 'retire',
  summary: 'Permanently reject tokens signed by a key; refused while it has live tokens',
  arguments: {
    id: {
      ...KEY_ID,
      description: 'The id of a verify-only key: one after which another key was activated',
      hyphen: true,
    },
  },
  options: { revokeTokens: { description: 'Revoke all live tokens signed by the key' } },
  examples: [
    'gatehouse key retire k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs',
    'gatehouse key retire k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs --revoke-tokens --yes',
  ],
  asks: {
    action: 'retire the key',
    question: 'Retire this key?',
    declined: 'The key was not retired.',
    async facts({ showKey }, caller, { id, revokeTokens = false }) {
      return ok(factsOf(unwrap(await showKey(caller, id)), revokeTokens));
    },
  },
  run: ({ retireKey }, caller, { id, revokeTokens = false }, { printer }) =>
    printer.progress('Retiring the key', () => retireKey(caller, { id, revokeTokens })),
  note: ({ key: { id }, revokedTokens }) => [
    `Retired the key ${id}: tokens signed by it are rejected.`,
    ...(revokedTokens > 0 ? [`Revoked ${counted(revokedTokens, 'token')} with it.`] : []),
  ],
  document: ({ key, revokedTokens }) => ({ ...keyDocument(key), revoked_tokens: revokedTokens }),
});

/** Describes what would break. Undefined, and so without a question, if the retirement will be refused. */
function factsOf({ key, live, lastUsedAt, at }: UsedKeyReport, revokeTokens: boolean) {
  if (key.state !== 'verify-only' || (live.count > 0 && !revokeTokens)) return undefined;
  if (live.count === 0) return ['The key has no live tokens: nothing will stop working.'];
  return [
    `The key has ${counted(live.count, 'live token')}, last used ${timeAgo(lastUsedAt, at)}. Integrations using them will stop working immediately.`,
  ];
}

const keyNewMaster = defineAlone({
  verb: 'new-master',
  summary: 'Print a new master key, for GATEHOUSE_MASTER_KEY',
  examples: ['(umask 077 && gatehouse key new-master > master.key)'],
  prints: 'item',
  async alone(_, { printer }) {
    const { createMasterKey } = await import('@gatehouse/key-encryption');
    const masterKey = createMasterKey();
    await printer.note('Back it up, and keep it apart from the database:');
    await printer.secret(masterKey, { master_key: masterKey });
  },
});

export const commands = [keyList, keyCreate, keyActivate, keyRetire, keyRewrap, keyNewMaster];
