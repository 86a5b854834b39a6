import { type Mutation, mutation } from '../mutation.ts';

const LOG = 'apps/server/src/logging/log.ts';
const OWN_FILE = 'apps/cli/src/files/own-file.ts';

/** The content and the completeness of the log, and what of the audit log is noticed: requirements 39 and 75. */
export const LOGS: readonly Mutation[] = [
  mutation([39], 'The log has the email as sent.', {
    file: 'apps/server/src/composition/recorded-sign-in.ts',
    find: 'email: known,',
    replace: 'email: attempt.email,',
  }),
  mutation([39], 'The access log has the path.', {
    file: 'apps/server/src/logging/request-logs.ts',
    find: 'route: request.route ?? null,\n        status,',
    replace: 'route: request.target, headers: request.node.rawHeaders,\n        status,',
  }),
  mutation([39], 'Refused sign-ins are not logged.', {
    file: 'apps/server/src/composition/recorded-sign-in.ts',
    find: '      log.info(\n',
    replace: "      if (outcome === 'accepted') log.info(\n",
  }),
  mutation([39], 'The log has client input unescaped.', {
    file: LOG,
    find: 'streamWrite: escapeInvisible,',
    replace: 'streamWrite: (line: string) => line,',
  }),
  mutation([39], 'Sign-ins share their log buffer with other lines.', {
    file: 'apps/server/src/logging/log-buffers.ts',
    find: "case 'sign_in':",
    replace: "case 'no such kind':",
  }),
  mutation([39], 'Equal warnings, and refused tokens of one network, are all written.', {
    file: LOG,
    find: 'if (isWritten) write',
    replace: 'write',
  }),
  mutation([39], 'Refused tokens are counted by network only, without wider groups.', {
    file: 'apps/server/src/logging/refused-lines.ts',
    find: '[network, network && widerNetwork(network), null]',
    replace: '[network, null, null]',
  }),
  mutation([39], 'Denied requests of accepted tokens are counted with refused tokens, and not by user.', [
    {
      file: LOG,
      find: ': accepted.admit(groupsByToken(line))',
      replace: ': unaccepted.admit(groupsByToken(line))',
    },
    {
      file: 'apps/server/src/logging/refused-lines.ts',
      find: '{ token_id: null, user_id, network: null }',
      replace: '{ token_id: null, user_id: null, network: null }',
    },
  ]),
  mutation([39], 'Refused sign-ins share their log buffer with refused tokens.', {
    file: 'apps/server/src/logging/log-buffers.ts',
    find: "? 'refused-sign-ins' : 'sign-ins'",
    replace: "? 'refusals' : 'sign-ins'",
  }),
  mutation([39], 'The log is written in chunks of 4,096 bytes, one in each turn of the event loop.', [
    {
      file: 'apps/server/src/logging/output/file-output.ts',
      find: 'MAX_WRITE = 1024 * 1024',
      replace: 'MAX_WRITE = 4096',
    },
    {
      file: 'apps/server/src/logging/output/pipe-output.ts',
      find: 'MAX_WRITES_PER_TURN = 256',
      replace: 'MAX_WRITES_PER_TURN = 1',
    },
  ]),
  mutation([75], 'Seals are accepted without a check of their MACs.', {
    file: 'packages/domain/src/audit/seals/verify-seal.ts',
    find: 'macOf(sealing, seal) === seal.mac',
    replace: 'true',
  }),
  mutation([75], 'Events are not compared with their seals.', {
    file: 'packages/domain/src/audit/seals/verify-seal.ts',
    find: 'if (line !== undefined && lineHash(sealing.cryptography, line) === lineHashAt(seal, position))',
    replace: 'if (line !== undefined)',
  }),
  mutation([75], 'Each anchor is believed.', {
    file: 'packages/domain/src/audit/seals/compare-export.ts',
    find: 'if (last !== seal.last || mac !== seal.mac)',
    replace: 'if (mac.length === 0)',
  }),
  mutation([75], 'Events may be marked as pruned without proof.', {
    file: 'packages/domain/src/audit/seals/verify-seal.ts',
    find: 'seal.pruned !== null && prunedMacOf(sealing, seal, seal.pruned.at) === seal.pruned.mac',
    replace: 'seal.pruned !== null',
  }),
  mutation([75], 'Events without a seal are ignored.', {
    file: 'packages/domain/src/audit/seals/verify-audit-log.ts',
    find: 'if (!includes(late, Number(id)))',
    replace: 'if (late.length > 0 && !includes(late, Number(id)))',
  }),
  mutation([75], 'Ids that were passed over are not watched.', {
    file: 'packages/postgres/src/audit/audit-gaps.ts',
    find: 'if (ranges.length === 0) return;',
    replace: 'return;',
  }),
  mutation([75], 'Events are pruned for any anchor.', {
    file: 'packages/domain/src/audit/seals/prune-audit-events.ts',
    find: 'if (!(await findSeal(auditSeals, exported)))',
    replace: 'if (exported.last < 0)',
  }),
  mutation([75], 'The tables of the log may differ from the migrations.', {
    file: 'packages/postgres/src/audit/audit-tables.ts',
    find: 'const found = new Set(rows.map(({ fact }) => fact));',
    replace: 'const found = rows.length > 0 ? MADE : new Set<string>();',
  }),
  mutation([75], 'A second event with the same id is ignored.', {
    file: 'packages/domain/src/audit/seals/verify-seal.ts',
    find: 'if (isRepeated)',
    replace: 'if (isRepeated && line === undefined)',
  }),
  mutation([75], 'Numbers are rounded to those that JavaScript has.', {
    file: 'packages/postgres/src/audit/stored-events.ts',
    find: '!isExact(value, context.source)',
    replace: 'Number.isNaN(value)',
  }),
  mutation([75], 'An export leaves out events that anyone marked as pruned.', {
    file: 'packages/domain/src/audit/seals/export-audit-events.ts',
    find: 'if (isGenuine && seal.pruned && isPruned(sealing, seal))',
    replace: 'if (seal.pruned)',
  }),
  mutation([75], 'Changes are made again from a file in which seals are missing.', {
    file: 'packages/domain/src/audit/reapply/checked-batches.ts',
    find: 'if (!isTold && !(await follows(seal, before)))',
    replace: 'if (!isTold && seal.first < 0)',
  }),
  mutation([75], 'Changes are made again from a file that was not sealed.', {
    file: 'packages/domain/src/audit/seals/exported-batches.ts',
    find: 'macOf(sealing, { ...seal, ...hashes }) === seal.mac',
    replace: 'seal.mac.length > 0',
  }),
  mutation([75], 'Any seal of an export may say that its events were pruned.', {
    file: 'packages/domain/src/audit/seals/exported-batches.ts',
    find: 'return events.length === 0 && pruned.mac === pruningMacOf(sealing, seal, pruned.at);',
    replace: 'return events.length === 0 && pruned.at > 0;',
  }),
  mutation([75], 'The backup need not have the events that were pruned before the export.', {
    file: 'packages/domain/src/audit/reapply/checked-batches.ts',
    find: 'if (pruned && !same)',
    replace: 'if (pruned && !same && line < 0)',
  }),
  mutation([75], 'The line of a seal may have other members.', {
    file: 'packages/domain/src/audit/seals/exported-lines.ts',
    find: 'return text === sealLine(seal, pruned) ?',
    replace: 'return text.length > 0 ?',
  }),
  mutation([75], 'Unreadable lines of an export are ignored.', {
    file: 'packages/domain/src/audit/seals/exported-batches.ts',
    find: 'else hasUnreadable = true;',
    replace: "else hasUnreadable ||= parsed.kind === 'event';",
  }),
  mutation([75], 'Lines after the last seal are ignored.', {
    file: 'packages/domain/src/audit/seals/exported-batches.ts',
    find: 'if (read > sealed)',
    replace: 'if (read < 0)',
  }),
  mutation([75], 'A verified file may contain a seal twice.', {
    file: 'packages/domain/src/audit/seals/compare-export.ts',
    find: 'if (last <= sealedTo)',
    replace: 'if (last < 0)',
  }),
  mutation([75], 'The end of a continued file is not checked.', {
    file: 'packages/domain/src/audit/seals/export-audit-events.ts',
    find: 'return isGenuine ?',
    replace: 'return batches.length > 0 ?',
  }),
  mutation([75], 'A file that does not reach an anchor is accepted.', {
    file: 'packages/domain/src/audit/reapply/reapply-audit-events.ts',
    find: 'if (anchor && !hasAnchor)',
    replace: 'if (anchor && hasAnchor && anchor.last < 0)',
  }),
  mutation([75], 'A file of another user is continued.', [
    {
      file: OWN_FILE,
      find: 'if (user !== undefined && found.uid !== user)',
      replace: 'if (user !== undefined && user < 0)',
    },
  ]),
  mutation([75], 'A file that replaced another one is continued.', {
    file: OWN_FILE,
    find: 'const replaced = foreignness(path, await file.stat());',
    replace: 'const replaced = foreignness(path, found);',
  }),
];
