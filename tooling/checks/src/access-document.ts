import {
  authorize,
  type Caller,
  IN_PERSON,
  type Principal,
  type Rule,
  type ServiceCaller,
  VERIFY_SCOPES,
} from '@gatehouse/domain/access';
import type { AccountId } from '@gatehouse/domain/accounts';
import { type AccessFacts, type AccessRow, accessTable } from '@gatehouse/domain/testing';
import type { UserId } from '@gatehouse/domain/users';
import { CATALOG, EXTENSIONS } from '@gatehouse/extensions';
import { guardsSection } from './guards-section.ts';
import { markdownTable } from './markdown-table.ts';
import { tokenRulesSection } from './token-rules-section.ts';

/** The facts in the order in which the decision checks them. */
const FACTS = ['token', 'scopes', 'organization', 'role', 'member'] as const;

/** Returns docs/administer/access.md, generated from the functions that decide. */
export function accessDocument(): string {
  const table = accessTable();
  return `# Who may do what

This page shows which callers may read an organization, and which callers may perform each action. \`npm run docs\` generates it from the
code that decides.

## Reading an organization

The table shows what a server decides about \`GET /api/v1/orgs/{id}\`. A row is a combination of facts about the token, its scopes, the
organization and the user. *any* means that the fact does not matter in that row. Together, the rows cover all ${table.length} combinations.

The last column is the decision, which the second table translates into an HTTP status. The code is \`authorizeFound\` in
\`packages/domain/src/access/authorize.ts\`.

${markdownTable(
  ['token', 'scopes', 'organization', "user's role", 'member', 'verdict'],
  fold(table, [...FACTS]),
)}

| verdict | HTTP status |
|---|---|
| allowed | 200 (or 304) |
| token_not_accepted | 401 |
| insufficient_scope, network_not_allowed, not_allowed | 403 |
| not_found | 404 |

\`GET /api/v1/orgs\` lists exactly the organizations for which the verdict is *allowed*.

${EXTENSIONS.flatMap(({ rules }) => rules.map(ruleSection)).join('')}## Every action

The table shows which callers may perform an action at all. Users and their tokens reach only their own account. The *operator* is the user
of the command line without \`--as\`. A user *in person* is signed in at the pages, or named by \`--as\` where a command has that option. A *service* is a program that
accepts tokens, and proves what it is by a credential.

For \`${VERIFY_SCOPES.name}\`, the request names the scope that the token needs. The scope \`*\` is not enough there, because it grants
nothing at a service. All other rules for tokens name their scope themselves, and \`*\` includes it.

Each row is a rule, which a resource lists in \`packages/domain/src/resources/built-in.ts\`, or an extension.

${markdownTable(['action', ...Object.keys(CALLERS)], CATALOG.rules.map(ruleRow))}

${tokenRulesSection()}
${guardsSection()}`;
}

/** Returns the table of an extension's rule: which tokens may do it, under an organization. */
function ruleSection(rule: Rule): string {
  const { name, scope } = rule;
  if (scope === undefined || scope === 'asked') return '';
  const other = CATALOG.scopes.find((one) => one !== '*' && one !== scope) ?? '*';
  const table = accessTable(rule, ['*', scope, other]);
  return `## \`${name}\`

This rule is for resources of an organization: ${table.length} combinations of facts.

${markdownTable(['token', 'scopes', 'organization', "user's role", 'member', 'verdict'], fold(table, [...FACTS]))}

`;
}

/** Returns one row for each group of combinations that have the same verdict whatever their other facts are. */
function fold(rows: readonly AccessRow[], facts: readonly (keyof AccessFacts)[]): string[][] {
  const [fact, ...rest] = facts;
  const verdicts = new Set(rows.map((row) => row.verdict));
  if (fact === undefined || verdicts.size === 1) {
    return [[...facts.map(() => 'any'), [...verdicts].join()]];
  }
  return [...new Set(rows.map((row) => row[fact]))].flatMap((value) => {
    const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : `${value}`;
    const group = rows.filter((row) => row[fact] === value);
    return fold(group, rest).map((cells) => [text, ...cells]);
  });
}

const ADMIN: Principal = {
  kind: 'user',
  userId: 1 as UserId,
  accountId: 1 as AccountId,
  role: 'admin',
  scopes: IN_PERSON,
  origin: '',
};

const CALLERS: Readonly<Record<string, Caller>> = {
  'admin in person': ADMIN,
  'member in person': { ...ADMIN, role: 'member' },
  "admin's token": { ...ADMIN, scopes: ['*'] },
  "member's token": { ...ADMIN, role: 'member', scopes: ['*'] },
  operator: { kind: 'operator', name: '', origin: '' },
  // The rules ask for the kind of caller only, so the branded texts may be empty.
  service: { kind: 'service', service: '', credential: '', origin: '' } as unknown as ServiceCaller,
  'refused token': { kind: 'refused', reason: 'revoked' },
};

function ruleRow(rule: Rule): string[] {
  const verdicts = Object.values(CALLERS).map((caller) => (authorize(caller, rule).ok ? 'yes' : 'no'));
  return [`\`${rule.name}\``, ...verdicts];
}
