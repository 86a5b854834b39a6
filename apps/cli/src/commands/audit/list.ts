import { err, type Pages } from '@gatehouse/domain';
import type { ListAuditEventsInput, ToldEntry } from '@gatehouse/domain/audit';
import { subjectTypes } from '@gatehouse/domain/resources';
import type { CommandCaller, None, Options } from '@gatehouse/extension-kit/cli';
import type { Gatehouse } from '../../cli.ts';
import type { Resources } from '../../described/description.ts';
import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import {
  COUNT,
  EMAIL,
  KEY_ID,
  MOMENT,
  NAME,
  ORGANIZATION_ID,
  SERVICE_NAME,
  TOKEN_ID,
} from '../../input/parsers.ts';
import { auditView } from '../../views/audit-view.ts';
import { ofAccount } from '../shared-options.ts';

export function auditList({ catalog: { actions }, extensions }: Resources) {
  const subjects = subjectOptions(extensions);
  return defineSteps({
    verb: 'list',
    summary: 'List who changed what, when, and from which machine, newest first',
    as: { description: "List only the changes in this admin's account, as its admins see them" },
    options: {
      account: ofAccount('changes'),
      actor: {
        ...NAME,
        value: 'who',
        description: 'List changes by this user (email) or this operator (name)',
        column: 'WHO',
      },
      action: {
        value: 'action',
        description: 'List changes of this kind',
        choices: actions,
        column: 'ACTION',
      },
      type: {
        value: 'type',
        description: 'List changes of resources of this type',
        choices: [...new Set(actions.map((each) => each.split('.')[0] ?? ''))],
        column: 'SUBJECT',
      },
      byUser: {
        ...NAME,
        value: 'text',
        description: 'List changes by users who have this text in their name or email',
        column: 'WHO',
      },
      tokenName: {
        ...NAME,
        value: 'text',
        description: 'List the history of the API tokens that have this text in their current name',
        column: 'SUBJECT',
      },
      // The options for subjects depend on the installed extensions, so their keys are not known to the compiler.
      ...(subjects as None),
      since: {
        ...MOMENT,
        description: 'List changes since this time, or within a duration until now, such as 2d',
        column: 'TIME',
      },
      until: {
        ...MOMENT,
        description: 'List changes before this time, or older than a duration, such as 2d',
        column: 'TIME',
      },
      limit: { ...COUNT, description: 'Maximum number of events', default: 100 },
    },
    notes: [
      'Changes by a command with --as are listed as made by the operator for that admin: "root (operator), for ada@acme.example". In JSON, "actor" is then {"kind": "operator", "name", "for", "for_email"} with the id and the email of the admin; exports leave out the email. --actor finds them by the operator or by the admin.',
      'With --as, operators are listed as "an operator", without name and machine, and --actor takes the email of a user of the account.',
    ],
    examples: [
      'gatehouse audit list --since 2d',
      'gatehouse audit list --as ada@acme.example --since 2d',
      'gatehouse audit list --token 019a0000-0000-7000-8000-000000000000',
      'gatehouse audit list --as ada@acme.example --by-user ben --token-name badges',
      'gatehouse audit list --actor ada@acme.example --action token.revoked --jsonl',
    ],
    prints: auditView,
    async steps(gatehouse, caller, { limit, account: accountId, ...filter }, { printer }) {
      const subject = subjectOf(subjects, filter);
      // Reads one event more than it shows, to find out whether there are more.
      const { action, actor, since, until, type, byUser, tokenName } = filter;
      const input = {
        ...{ action, actor, since, until, subject, accountId, limit: limit + 1 },
        subjectTypes: type === undefined ? undefined : [type],
        user: byUser,
        token: tokenName,
      };
      const pages: Pages<ToldEntry> = unwrap(await list(gatehouse, caller, input));
      let read = 0;
      async function* shown() {
        for await (const page of pages) {
          const left = limit - read;
          read += page.length;
          yield page.slice(0, left);
        }
      }
      await printer.list(shown(), auditView);
      if (read > limit)
        await printer.note('There are older events, which are not listed: raise --limit, or use --until.');
    },
  });
}

/** Lists the events of all accounts, or of the account of an admin. */
async function list(gatehouse: Gatehouse, caller: CommandCaller, input: ListAuditEventsInput) {
  if (caller.kind === 'operator') return gatehouse.listAuditEvents(caller, input);
  const { accountId, ...filter } = input;
  if (accountId !== undefined && accountId !== caller.accountId) return err({ code: 'account_not_found' });
  return gatehouse.listAccountAuditEvents(caller, filter);
}

/**
 * An option that filters by a subject, such as `--token`. `type` is the name of the kind of subject in the audit log.
 */
type SubjectOption = Options[string] & { readonly type: string };

const SUBJECTS = {
  token: { ...TOKEN_ID, description: "List a token's history", type: 'token' },
  user: { ...EMAIL, description: "List a user's history", type: 'user' },
  org: { ...ORGANIZATION_ID, description: "List an organization's history", type: 'organization' },
  key: { ...KEY_ID, description: "List a signing key's history", type: 'key' },
  service: {
    ...SERVICE_NAME,
    description: "List a service's history, with its scopes and credentials",
    type: 'service',
  },
};

/**
 * Returns the options for the subjects of Gatehouse and of extensions. A command line can have only one of these
 * options.
 */
function subjectOptions(extensions: Resources['extensions']): Readonly<Record<string, SubjectOption>> {
  const others = extensions.flatMap(subjectTypes).map((type): readonly [string, SubjectOption] => {
    const description = `List the history of a ${type.replaceAll('_', ' ')}`;
    return [
      type.replace(/_\w/g, ([, letter = '']) => letter.toUpperCase()),
      { ...NAME, value: 'id', description, type },
    ];
  });
  const all = [...Object.entries<SubjectOption>(SUBJECTS), ...others];
  const conflicts = all.map(([name]) => name);
  return Object.fromEntries(
    all.map(([name, option]) => [
      name,
      { ...option, column: 'SUBJECT', conflicts: conflicts.filter((each) => each !== name) },
    ]),
  );
}

/** Returns the subject that the given option names; undefined if none of the options was given. */
function subjectOf(
  options: Readonly<Record<string, SubjectOption>>,
  given: Readonly<Record<string, unknown>>,
): ListAuditEventsInput['subject'] {
  const [name, option] = Object.entries(options).find(([each]) => given[each] !== undefined) ?? [];
  if (name === undefined || option === undefined) return undefined;
  const { type } = option;
  return type === 'user' ? { type, email: String(given[name]) } : { type, id: String(given[name]) };
}
