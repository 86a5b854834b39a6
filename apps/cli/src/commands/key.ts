import type { KeyId, UsedKeyReport } from '@gatehouse/domain/signing-keys';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { unwrap } from '../errors/refusals.ts';
import { CONSENTS, consentTo } from '../input/consent.ts';
import type { ChangeOptions } from '../input/options.ts';
import { changeOptions, formatOption, listOptions, outputOptions } from '../input/options.ts';
import { toKeyId } from '../input/parsers.ts';
import { createPrinter } from '../output/printer.ts';
import { withProgress } from '../output/progress.ts';
import type { OutputOptions } from '../output/view.ts';
import { counted } from '../views/count.ts';
import { keyDocument, keyView } from '../views/key-view.ts';
import { timeAgo } from '../views/time.ts';
import { keyRewrap } from './key-rewrap.ts';

function keyList(key: Command, cli: Cli): void {
  const command = key
    .command('list')
    .description('List the signing keys, oldest first, with their live tokens and when each can be retired');
  listOptions(command, keyView, {
    notes: [
      'A verify-only key can be retired once the last of its tokens has expired. Tokens without an expiry keep it in use until they are rotated or revoked, or until `gatehouse key retire --revoke-tokens` revokes them.',
    ],
    examples: ['gatehouse key list', 'gatehouse key list --json'],
  });
  command.action(async (options: OutputOptions) => {
    await using gatehouse = await cli.open();
    const keys = unwrap(await gatehouse.listKeys(cli.operator));
    await createPrinter(cli.streams, options).list([keys], keyView);
  });
}

function keyCreate(key: Command, cli: Cli): void {
  const command = key
    .command('create')
    .description('Create a staged signing key and print its id')
    .addOption(formatOption());
  changeOptions(command, { examples: ['gatehouse key create --format paseto'] });
  command.action(async (options: OutputOptions & { readonly format?: TokenFormat }) => {
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open({ signs: true });
    const format = options.format ?? (await cli.defaultFormat());
    const created = unwrap(await gatehouse.createKey(cli.operator, format));
    await printer.note(
      'Created a staged key. Once every server knows it, `gatehouse key activate ID` makes it sign new tokens. Its id:',
    );
    await printer.value(created.id, keyDocument(created));
  });
}

function keyActivate(key: Command, cli: Cli): void {
  const command = key
    .command('activate')
    .description('Sign new tokens with a staged key; the previous key keeps verifying')
    .argument('<id>', "The key's id", toKeyId)
    // An id may begin with a hyphen.
    .allowUnknownOption();
  changeOptions(command, {
    examples: ['gatehouse key activate k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs'],
  });
  command.action(async (id: KeyId, options: OutputOptions) => {
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open();
    const activated = unwrap(await gatehouse.activateKey(cli.operator, id));
    await printer.note(`New ${activated.format} tokens are now signed with the key ${activated.id}.`);
    await printer.document(keyDocument(activated));
  });
}

function keyRetire(key: Command, cli: Cli): void {
  const command = key
    .command('retire')
    .description('Permanently reject tokens signed by a key; refused while it has live tokens')
    .argument('<id>', 'The id of a verify-only key: one after which another key was activated', toKeyId)
    .option('--revoke-tokens', 'Revoke all live tokens signed by the key')
    // An id may begin with a hyphen.
    .allowUnknownOption();
  changeOptions(command, {
    asks: true,
    examples: [
      'gatehouse key retire k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs',
      'gatehouse key retire k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs --revoke-tokens --yes',
    ],
  });
  command.action(async (id: KeyId, options: ChangeOptions & { readonly revokeTokens?: true }) => {
    const { yes, revokeTokens = false } = options;
    const confirm = consentTo(cli, CONSENTS['key retire'], yes);
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open();
    await confirm(async () => factsOf(unwrap(await gatehouse.showKey(cli.operator, id)), revokeTokens));
    const retire = () => gatehouse.retireKey(cli.operator, { id, revokeTokens });
    const { key, revokedTokens } = unwrap(await withProgress(cli, options, 'Retiring the key', retire));
    await printer.note(`Retired the key ${key.id}: tokens signed by it are rejected.`);
    if (revokedTokens > 0) await printer.note(`Revoked ${counted(revokedTokens, 'token')} with it.`);
    await printer.document({ ...keyDocument(key), revoked_tokens: revokedTokens });
  });
}

/** Describes what would break. Undefined, and so without a question, if the retirement will be refused. */
function factsOf({ key, live, lastUsedAt, at }: UsedKeyReport, revokeTokens: boolean) {
  if (key.state !== 'verify-only' || (live.count > 0 && !revokeTokens)) return undefined;
  if (live.count === 0) return ['The key has no live tokens: nothing will stop working.'];
  return [
    `The key has ${counted(live.count, 'live token')}, last used ${timeAgo(lastUsedAt, at)}. Integrations using them will stop working immediately.`,
  ];
}

function keyNewMaster(key: Command, cli: Cli): void {
  const command = key.command('new-master').description('Print a new master key, for GATEHOUSE_MASTER_KEY');
  outputOptions(command, { examples: ['(umask 077 && gatehouse key new-master > master.key)'] });
  command.action(async (options: OutputOptions) => {
    const printer = createPrinter(cli.streams, options);
    const { createMasterKey } = await import('@gatehouse/key-encryption');
    const masterKey = createMasterKey();
    await printer.note('Back it up, and keep it apart from the database:');
    await printer.secret(masterKey, { master_key: masterKey });
  });
}

export const KEY_COMMANDS = [keyList, keyCreate, keyActivate, keyRetire, keyRewrap, keyNewMaster];
