import type { Pages } from '@gatehouse/domain';
import type { AccountId } from '@gatehouse/domain/accounts';
import type { ListAuditEventsInput, ToldEntry } from '@gatehouse/domain/audit';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { Extension } from '@gatehouse/extension-kit';
import { type Command, Option } from 'commander';
import type { Cli, Gatehouse } from '../cli.ts';
import { refusal, unwrap } from '../errors/refusals.ts';
import { admin } from '../input/caller.ts';
import {
  type ActingOptions,
  accountOption,
  asOption,
  type Filters,
  filteredColumns,
  listOptions,
} from '../input/options.ts';
import { toCount, toKeyId, toMoment, toName, toOrganizationId, toTokenId } from '../input/parsers.ts';
import { createPrinter } from '../output/printer.ts';
import { auditView } from '../views/audit-view.ts';
import { auditExport } from './audit/export.ts';
import { auditPrune } from './audit/prune.ts';
import { auditReapply } from './audit/reapply.ts';
import { auditVerify } from './audit/verify.ts';

interface Options extends ActingOptions, Pick<ListAuditEventsInput, 'actor' | 'action' | 'since' | 'until'> {
  readonly account?: AccountId;
  readonly token?: TokenId;
  readonly user?: string;
  readonly org?: OrganizationId;
  readonly key?: KeyId;
  readonly limit: number;
}

const filtersOf = ({ catalog: { actions }, extensions }: Pick<Cli, 'catalog' | 'extensions'>): Filters => ({
  ACCOUNT: [accountOption('List only the changes of this account')],
  WHO: [
    new Option('--actor <who>', "List changes by a user's email, or an operator's name").argParser(toName),
  ],
  ACTION: [new Option('--action <action>', 'List changes of this kind').choices(actions)],
  SUBJECT: [
    new Option('--token <id>', "List a token's history")
      .argParser(toTokenId)
      .conflicts(['user', 'org', 'key']),
    new Option('--user <email>', "List a user's history").argParser(toName).conflicts(['org', 'key']),
    new Option('--org <id>', "List an organization's history").argParser(toOrganizationId).conflicts('key'),
    new Option('--key <id>', "List a signing key's history").argParser(toKeyId),
    ...subjectTypesOf(extensions).map((type) =>
      new Option(`--${type.replaceAll('_', '-')} <id>`, `List the history of a ${type.replaceAll('_', ' ')}`)
        .argParser(toSubject(type))
        .conflicts(['token', 'user', 'org', 'key']),
    ),
  ],
  TIME: [
    new Option('--since <when>', 'List changes since a time, or for a duration such as 2d').argParser(
      toMoment,
    ),
    new Option('--until <when>', 'List changes before a time, or older than a duration').argParser(toMoment),
  ],
});

/** The types of subjects of extensions in the audit log: the first words of their actions. */
function subjectTypesOf(extensions: readonly Extension[]): readonly string[] {
  const actions = extensions.flatMap(({ actions = {} }) => Object.keys(actions));
  return [...new Set(actions.map((action) => action.split('.', 1)[0] as string))];
}

/** The subject of an extension that an option names. */
class Subject {
  readonly type: string;
  readonly id: string;

  constructor(type: string, id: string) {
    this.type = type;
    this.id = id;
  }
}

const toSubject = (type: string) => (text: string) => new Subject(type, toName(text));

function auditList(audit: Command, cli: Cli): void {
  const filters = filtersOf(cli);
  const command = audit
    .command('list')
    .description('List who changed what, when, and from which machine, newest first')
    .addOption(asOption("List only the changes in this admin's account, as its admins may know them"));
  listOptions(command, auditView, {
    filters,
    notes: [
      'What a command did for an admin (--as) is listed as done by the operator, for that admin: "root (operator), for ada@acme.example". In JSON, "actor" is then {"kind": "operator", "name", "for", "for_email"} with the id and the email of the admin; in exports it has no email. --actor lists it by either of the two.',
      'With --as, what an operator did is listed as "an operator", without the name and the machine, and --actor takes the email of a user of the account.',
    ],
    examples: [
      'gatehouse audit list --since 2d',
      'gatehouse audit list --as ada@acme.example --since 2d',
      'gatehouse audit list --token 019a0000-0000-7000-8000-000000000000',
      'gatehouse audit list --actor ada@acme.example --action token.revoked --jsonl',
    ],
  });
  command.option('--limit <count>', 'Maximum number of events', toCount, 100);
  command.action(async (options: Options) => {
    await using gatehouse = await cli.open();
    const { limit, account, actor, action, since, until } = options;
    // Reads one more than is shown, to know whether there are more.
    const filter = { actor, action, since, until, subject: subjectOf(options), limit: limit + 1 };
    const pages: Pages<ToldEntry> = unwrap(
      await list(cli, gatehouse, options.as, { ...filter, accountId: account }),
    );
    let read = 0;
    async function* shown() {
      for await (const page of pages) {
        const left = limit - read;
        read += page.length;
        yield page.slice(0, left);
      }
    }
    const printer = createPrinter(cli, options, filteredColumns(filters, options));
    await printer.list(shown(), auditView);
    if (read > limit) await printer.note('There are older events: raise --limit, or use --until.');
  });
}

/** Lists the events of all accounts, or of the account of an admin. */
async function list(
  cli: Cli,
  gatehouse: Gatehouse,
  as: string | undefined,
  { accountId, ...input }: ListAuditEventsInput,
) {
  if (as === undefined) return gatehouse.listAuditEvents(cli.operator, { ...input, accountId });
  const caller = await admin(cli, gatehouse, as);
  if (accountId !== undefined && accountId !== caller.accountId) throw refusal({ code: 'account_not_found' });
  return gatehouse.listAccountAuditEvents(caller, input);
}

function subjectOf(options: Options): ListAuditEventsInput['subject'] {
  const { token, user, org, key } = options;
  if (token !== undefined) return { type: 'token', id: token };
  if (user !== undefined) return { type: 'user', email: user };
  if (org !== undefined) return { type: 'organization', id: String(org) };
  if (key !== undefined) return { type: 'key', id: key };
  return Object.values(options).find((value) => value instanceof Subject);
}

export const AUDIT_COMMANDS = [auditList, auditExport, auditVerify, auditPrune, auditReapply];
