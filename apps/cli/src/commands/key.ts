import { ok } from '@gatehouse/domain';
import type { UsedKeyReport } from '@gatehouse/domain/signing-keys';
import type { ResealedWebhooks } from '@gatehouse/domain/webhooks';
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
  summary: 'Encrypt all signing keys and the secrets of second factors and webhooks under a new master key',
  options: {
    newMasterKeyFile: {
      value: 'file',
      description: 'Read the new master key from this file, as `gatehouse key new-master` prints it',
    },
  },
  notes: [
    'Tokens stay valid and running servers keep working. If the command is interrupted, run it again to finish.',
    'The new master key replaces the old one in the file that GATEHOUSE_MASTER_KEY_FILE names, or in master.key in the data folder. The old master key is kept in the same folder, in a file with the date in its name, because older backups of the database need it. If servers run on several machines, first put the new key on every machine, in a file beside the old key with ".new" added to its name. Then run this command on every machine.',
    'This command cannot replace a master key in the variable GATEHOUSE_MASTER_KEY or in a read-only mount. Then pass the new master key with --new-master-key-file, and put it in place of the old one yourself after the command has ended. If servers have GATEHOUSE_MASTER_KEY in their environment, restart them with the new master key before you activate the next signing key.',
  ],
  examples: [
    'gatehouse key rewrap',
    '(umask 077 && gatehouse key new-master > new.key) && gatehouse key rewrap --new-master-key-file new.key',
  ],
  needs: ({ newMasterKeyFile }) => ({ signs: true, newMasterKeyFile }),
  run: ({ rewrapKeys }, caller, _, { printer }) =>
    printer.progress('Encrypting the signing keys', () => rewrapKeys(caller)),
  note: ({ rewrapped, unchanged, factors, webhooks, placement }) => [
    rewrapped > 0
      ? `${counted(rewrapped + unchanged, 'signing key')} ${rewrapped + unchanged === 1 ? 'is' : 'are'} now encrypted under the new master key.`
      : 'The signing keys were already encrypted under the new master key.',
    ...resealedLines(factors, 'second factors', 'users'),
    ...resealedLines(webhooks, 'webhooks', 'webhooks'),
    ...(placement ? placementLines(placement) : []),
  ],
  document: ({ rewrapped, unchanged, factors, webhooks, placement }) => ({
    rewrapped,
    unchanged,
    second_factors: factors,
    webhooks,
    master_key_file: placement?.kind === 'replaced' ? placement.path : null,
    kept_master_key_file: placement?.kind === 'replaced' ? placement.kept : null,
  }),
});

function resealedLines(
  { rewrapped, unchanged, unreadable }: ResealedWebhooks,
  of: string,
  named: string,
): readonly string[] {
  const all = rewrapped + unchanged;
  return [
    ...(all === 0 ? [] : [`So ${all === 1 ? 'is' : 'are'} ${counted(all, 'secret')} of ${of}.`]),
    ...(unreadable === 0
      ? []
      : [
          `Neither master key decrypts ${counted(unreadable, 'secret')} of ${of}: \`gatehouse doctor\` names the ${named}.`,
        ]),
  ];
}

function placementLines(placement: MasterKeyPlacement): readonly string[] {
  if (placement.kind === 'replaced') {
    return [
      `The new master key is in ${placement.path}. Back it up, apart from the database.`,
      `The old master key is kept in ${placement.kept}: older backups of the database need it.`,
    ];
  }
  const place = placement.path ?? 'GATEHOUSE_MASTER_KEY';
  return [
    `This command could not replace the old master key (${placement.because}).`,
    `Put the new master key in ${place} now: servers and commands need it to start.`,
    'Keep the old master key: older backups of the database need it.',
  ];
}

const keyList = defineList({
  verb: 'list',
  summary: 'List the signing keys, oldest first: how many live tokens each has, and when it can be retired',
  notes: [
    'A verify-only key signs no new tokens, but servers still accept the tokens that it signed. It can be retired once the last of these tokens has expired. Tokens that never expire keep the key in use until they are rotated or revoked; `gatehouse key retire --revoke-tokens` revokes them.',
  ],
  examples: ['gatehouse key list', 'gatehouse key list --json'],
  view: keyView,
  run: async ({ listKeys }, caller) => ok([unwrap(await listKeys(caller))]),
});

const keyCreate = defineChange({
  verb: 'create',
  summary: 'Create a signing key, which is not active yet (staged), and print its id',
  options: { format: FORMAT },
  examples: ['gatehouse key create --format paseto'],
  needs: () => ({ signs: true }),
  run: async ({ createKey }, caller, { format }, { cli }) =>
    createKey(caller, format ?? (await cli.defaultFormat())),
  note: () =>
    'Created a staged key, which signs no tokens yet. Once every server knows the key, activate it with `gatehouse key activate ID`. Its id:',
  bare: ({ id }) => id,
  document: keyDocument,
});

const keyActivate = defineChange({
  verb: 'activate',
  summary: 'Sign new tokens with a staged key; tokens signed by the previous key stay valid',
  arguments: { id: { ...KEY_ID, description: "The key's id", hyphen: true } },
  examples: ['gatehouse key activate k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs'],
  run: ({ activateKey }, caller, { id }) => activateKey(caller, id),
  note: ({ format, id }) => `New ${format} tokens are now signed with the key ${id}.`,
  document: keyDocument,
});

const keyRetire = defineChange({
  verb: 'retire',
  summary:
    'Permanently reject the tokens that a key signed; live tokens prevent this without --revoke-tokens',
  arguments: {
    id: {
      ...KEY_ID,
      description: 'The id of a verify-only key: a key that was active until another key was activated',
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
    ...(revokedTokens > 0 ? [`Revoked ${counted(revokedTokens, 'live token')} of the key.`] : []),
  ],
  document: ({ key, revokedTokens }) => ({ ...keyDocument(key), revoked_tokens: revokedTokens }),
});

/**
 * Describes what retiring the key would break. Undefined if the retirement will be refused: the command then asks no
 * question.
 */
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
    await printer.note('Back up this master key, and keep it apart from the database:');
    await printer.secret(masterKey, { master_key: masterKey });
  },
});

export const commands = [keyList, keyCreate, keyActivate, keyRetire, keyRewrap, keyNewMaster];
