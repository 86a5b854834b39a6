import type { Mutation } from '../mutation.ts';

const LOG = 'apps/server/src/log.ts';

/** The content and the completeness of the log: requirement 39. */
export const LOGS: readonly Mutation[] = [
  {
    requirements: [39],
    change: 'The log has the email as sent.',
    edits: [
      {
        file: 'apps/server/src/routes/sign-in.ts',
        find: 'email: parseEmail(email).ok ? email : null,',
        replace: 'email,',
      },
    ],
  },
  {
    requirements: [39],
    change: 'The access log has the path.',
    edits: [
      {
        file: 'apps/server/src/http/access-log.ts',
        find: 'route: matchedRoute?.route ?? null,',
        replace: 'route: nodeRequest(event).url, headers: nodeRequest(event).rawHeaders,',
      },
    ],
  },
  {
    requirements: [39],
    change: 'Refused sign-ins are not logged.',
    edits: [
      {
        file: 'apps/server/src/routes/sign-in.ts',
        find: '        log.info(\n',
        replace: "        if (outcome === 'accepted') log.info(\n",
      },
    ],
  },
  {
    requirements: [39],
    change: 'The log has client input unescaped.',
    edits: [
      { file: LOG, find: 'streamWrite: escapeInvisible,', replace: 'streamWrite: (line: string) => line,' },
    ],
  },
  {
    requirements: [39],
    change: 'Sign-ins share their log buffer with other lines.',
    edits: [
      {
        file: 'apps/server/src/log-buffers.ts',
        find: "if (message !== SIGN_IN_LINE) return 'others';",
        replace: "return 'others';",
      },
    ],
  },
  {
    requirements: [39],
    change: 'Equal warnings, and refused tokens of one network, are all written.',
    edits: [
      {
        file: LOG,
        find: 'if (isWritten) write',
        replace: 'write',
      },
    ],
  },
  {
    requirements: [39],
    change: 'Refused tokens are counted by network only, without wider groups.',
    edits: [
      {
        file: 'apps/server/src/refused-lines.ts',
        find: '[network, network && widerNetwork(network), null]',
        replace: '[network, null, null]',
      },
    ],
  },
  {
    requirements: [39],
    change: 'Denied requests of accepted tokens are counted with refused tokens, and not by user.',
    edits: [
      {
        file: 'apps/server/src/refused-lines.ts',
        find: ': accepted.admit(groupsByToken(line))',
        replace: ': unaccepted.admit(groupsByToken(line))',
      },
      {
        file: 'apps/server/src/refused-lines.ts',
        find: '{ token_id: null, user_id, network: null }',
        replace: '{ token_id: null, user_id: null, network: null }',
      },
    ],
  },
  {
    requirements: [39],
    change: 'Refused sign-ins share their log buffer with refused tokens.',
    edits: [
      {
        file: 'apps/server/src/log-buffers.ts',
        find: "? 'refused-sign-ins' : 'sign-ins'",
        replace: "? 'refusals' : 'sign-ins'",
      },
    ],
  },
  {
    requirements: [39],
    change: 'The log is written in chunks of 4,096 bytes, one in each turn of the event loop.',
    edits: [
      {
        file: 'apps/server/src/log-output/file-output.ts',
        find: 'MAX_WRITE = 1024 * 1024',
        replace: 'MAX_WRITE = 4096',
      },
      {
        file: 'apps/server/src/log-output/pipe-output.ts',
        find: 'MAX_WRITES_PER_TURN = 256',
        replace: 'MAX_WRITES_PER_TURN = 1',
      },
    ],
  },
];
