import type { Finding, FindingCode, TokenCount } from '@gatehouse/domain/health';
import { formatInstant } from '@gatehouse/domain/time';

interface FindingText {
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

type Texts = {
  readonly [Code in FindingCode]: (finding: Extract<Finding, { code: Code }>) => FindingText;
};

/** What is said of every finding, and what to do about it. */
const TEXTS = {
  database_unreachable: ({ reason }) => ({
    message: sentence(reason),
    remedy: 'See that the database runs, and that DATABASE_URL or GATEHOUSE_DATA_DIR names it.',
  }),
  data_folder_exposed: ({ reason }) => ({
    message: sentence(reason),
    remedy:
      'Until then no server starts and no command works here: other users could replace what is stored.',
  }),
  schema_behind: () => ({
    message: "The database's schema is behind this program.",
    remedy: 'Run `gatehouse migrate`.',
  }),
  schema_ahead: () => ({
    message: "The database's schema is ahead of this program.",
    remedy: 'Run the newer version that was here before.',
  }),
  clock_skewed: ({ skewMs }) => ({
    message: `This machine's clock is ${seconds(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the database's.`,
    remedy: 'Set both by the same time servers (NTP): tokens expire by these clocks.',
  }),
  change_feed_untrusted: ({ reason }) => ({
    message: `Changes in the database are not heard here: ${reason}.`,
    remedy:
      'Mend that, or let DATABASE_LISTEN_URL lead to the primary directly. Until then, servers with this setting are degraded: they read the database for each request.',
  }),
  database_open_to_public: ({ database, ownRole, otherRoles }) => ({
    message: `${someOf(otherRoles)} may connect to the database ${database}, because every role may: without any other right a role can slow servers down, hold the locks of commands, and fill the queue of notifications.`,
    remedy: `As the database's owner: \`grant connect on database ${database} to ${ownRole}; revoke connect, temporary on database ${database} from public;\`, and grant connect to other roles that need it.`,
  }),
  no_active_key: ({ format }) => ({
    message: `No ${format} key is active: no ${format} token can be made.`,
    remedy: `Activate one (\`gatehouse key list\`, \`gatehouse key activate ID\`); if there is none, a server that starts makes the first, or \`gatehouse key create --format ${format}\`.`,
  }),
  key_left_staged: ({ keyId, format, since }) => ({
    message: `The ${format} key ${keyId} was made at ${formatInstant(since)}, and never activated.`,
    remedy: `Activate it: \`gatehouse key activate ${keyId}\`.`,
  }),
  key_retirable: ({ keyId, format }) => ({
    message: `The ${format} key ${keyId} only verifies, and no live token needs it any more.`,
    remedy: `Retire it: \`gatehouse key retire ${keyId}\`.`,
  }),
  master_key_unusable: ({ reason }) => ({
    message: `The master key cannot be used: ${reason}.`,
    remedy: 'Give the one under which the signing keys are encrypted; without it no token can be made.',
  }),
  master_key_rejected: ({ keyIds }) => ({
    message: `The master key here does not open ${keyIds.length === 1 ? 'the signing key' : 'the signing keys'} ${keyIds.join(', ')}.`,
    remedy:
      'Check GATEHOUSE_MASTER_KEY or GATEHOUSE_MASTER_KEY_FILE: it must be the one under which they are encrypted.',
  }),
  tokens_unused: ({ days, ...counted }) => ({
    message: `${tokens(counted, 'was', 'were')} not used for ${days} days.`,
    remedy: `\`gatehouse token list --kind api --unused-for ${days}d\` lists them; revoke those that nobody misses.`,
  }),
  tokens_never_expiring: (counted) => ({
    message: `${tokens(counted, 'never expires', 'never expire')}.`,
    remedy:
      '`gatehouse token list --kind api --never-expiring` lists them; put tokens with --expires-in in the place of those that need not last.',
  }),
  tokens_of_disabled_users: (counted) => ({
    message: `${tokens(counted, 'belongs', 'belong')} to disabled users, though disabling revokes: the database was changed by hand.`,
    remedy: '`gatehouse token list --kind api --state user_disabled` lists them; revoke them.',
  }),
  tokens_of_suspended_accounts: (counted) => ({
    message: `${tokens(counted, 'belongs', 'belong')} to suspended accounts, and will be good again when these are resumed.`,
    remedy:
      '`gatehouse token list --kind api --state account_suspended` lists them; revoke those that must not come back.',
  }),
  usage_behind: ({ storedAt, lagMs }) => ({
    message: `A server stored uses of tokens ${seconds(lagMs)} late, at ${formatInstant(storedAt)}.`,
    remedy: "Look at the servers' logs and at the database's load: last uses are shown late meanwhile.",
  }),
  check_failed: ({ check, reason }) => ({
    message: `The check "${check}" failed: ${reason}.`,
    remedy: "Look at the database's log; the user of DATABASE_URL must own the tables.",
  }),
} as const satisfies Texts;

export function describeFinding(finding: Finding): FindingText {
  // Each function takes the finding of its own code, which is the one it is found under.
  const text = TEXTS[finding.code] as (finding: Finding) => FindingText;
  return text(finding);
}

function tokens({ count, more }: TokenCount, one: string, many: string): string {
  const number = count.toLocaleString('en');
  if (more) return `More than ${number} API tokens ${many}`;
  return count === 1 ? `1 API token ${one}` : `${number} API tokens ${many}`;
}

/** Role names, the first few of them. */
function someOf(roles: readonly [string, ...string[]]): string {
  const [first, ...others] = roles;
  if (others.length === 0) return `The role ${first}`;
  const shown = roles.slice(0, MAX_SHOWN_ROLES);
  const more = roles.length - shown.length;
  return `The roles ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const MAX_SHOWN_ROLES = 5;

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A reason as a sentence of its own. */
function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? '' : '.'}`;
}
