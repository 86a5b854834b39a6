import type { AccountId } from '@gatehouse/domain/accounts';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  type AuditPages,
  type AuditQuestion,
  type Moment,
} from '@gatehouse/domain/audit';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import type { TokenId } from '@gatehouse/domain/tokens';
import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { accountOption, examples, listOutputOptions } from '../../input/options.ts';
import { toCount, toKeyId, toMoment, toName, toOrganizationId, toTokenId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { auditView } from '../../views/audit-view.ts';

interface Options extends OutputOptions {
  readonly account?: AccountId;
  readonly actor?: string;
  readonly action?: AuditAction;
  readonly token?: TokenId;
  readonly user?: string;
  readonly org?: OrganizationId;
  readonly key?: KeyId;
  readonly since?: Moment;
  readonly until?: Moment;
  readonly limit: number;
}

export function auditList(audit: Command, cli: Cli): void {
  listOutputOptions(
    audit.command('list').description('list who changed what, when and from where, newest first'),
  )
    .addOption(accountOption())
    .addOption(
      new Option('--actor <who>', "whose changes: a user's email, or an operator's name").argParser(toName),
    )
    .addOption(new Option('--action <action>', 'what was done').choices(AUDIT_ACTIONS))
    .addOption(
      new Option('--token <id>', "a token's history").argParser(toTokenId).conflicts(['user', 'org', 'key']),
    )
    .addOption(new Option('--user <email>', "a user's history").argParser(toName).conflicts(['org', 'key']))
    .addOption(
      new Option('--org <id>', "an organization's history").argParser(toOrganizationId).conflicts('key'),
    )
    .addOption(new Option('--key <id>', "a signing key's history").argParser(toKeyId))
    .addOption(new Option('--since <when>', 'from then on: a time, or how long ago (2d)').argParser(toMoment))
    .addOption(new Option('--until <when>', 'before then: a time, or how long ago').argParser(toMoment))
    .addOption(new Option('--limit <count>', 'how many at most').argParser(toCount).default(100))
    .addHelpText(
      'after',
      examples(
        'gatehouse audit list --since 2d',
        'gatehouse audit list --token 019a0000-0000-7000-8000-000000000000',
        'gatehouse audit list --actor ada@acme.example --action token.revoked --jsonl',
      ),
    )
    .action(async (options: Options) => {
      await using gatehouse = await cli.open();
      const { limit } = options;
      // One more than is shown tells whether there are more.
      const pages = unwrap(
        await gatehouse.listAuditEvents(cli.operator, { ...question(options), limit: limit + 1 }),
      );
      const shown = firstOf(pages, limit);
      const printer = createPrinter(cli.streams, options);
      await printer.list(shown.pages, auditView);
      if (shown.count() === 0) await printer.note('No such events.');
      if (shown.isCut())
        await printer.note('There are older events: see them with a greater --limit, or --until.');
    });
}

function question(options: Options): Omit<AuditQuestion, 'limit'> {
  const { account, actor, action, since, until } = options;
  return { accountId: account, actor, action, since, until, subject: subjectOf(options) };
}

function subjectOf({ token, user, org, key }: Options): AuditQuestion['subject'] {
  if (token !== undefined) return { type: 'token', id: token };
  if (user !== undefined) return { type: 'user', email: user };
  if (org !== undefined) return { type: 'organization', id: String(org) };
  return key === undefined ? undefined : { type: 'key', id: key };
}

/** So many entries of the pages; afterwards it is known whether there were more. */
function firstOf(pages: AuditPages, limit: number) {
  let read = 0;
  async function* cut(): AsyncGenerator<readonly AuditEntry[]> {
    for await (const page of pages) {
      const left = limit - read;
      read += page.length;
      yield page.slice(0, left);
    }
  }
  return { pages: cut(), count: () => read, isCut: () => read > limit };
}
