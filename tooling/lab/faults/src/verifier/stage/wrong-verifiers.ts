import type { Edit } from '@gatehouse/mutations';
import { sabotage } from '../../stage/sabotage.ts';

/** The settings of a verifier's process that errs, for the sabotage twins. */

const rule = (find: string, replace: string): Edit => ({
  file: '/verifier/src/core/rules.ts',
  find,
  replace,
});

/** Memory decides, however old the last proof is. */
export const OLD_KNOWLEDGE_DECIDES = sabotage({
  file: '/verifier/src/core/knowledge.ts',
  find: 'return age !== undefined && age <= longestMs;',
  replace: 'return age !== undefined;',
});

/** An answer is remembered though a change was told after the question. */
export const FORGETS_CHANGES = sabotage(
  rule('hasAllChanged || dependencies', 'hasAllChanged === undefined && dependencies'),
);

const CLOCKS_NEVER_DISAGREE = rule('  clocksDisagree,', '  clocksDisagree: () => false,');
const NOTHING_IS_IMPOSSIBLE = rule('bound > at.monotonic,', 'bound > at.monotonic + 1e9,');

/** The clocks of the machine are believed, whatever they show. */
export const BELIEVES_CLOCKS = sabotage(CLOCKS_NEVER_DISAGREE, NOTHING_IS_IMPOSSIBLE);

/** A proof holds up to its arrival. */
export const PROOF_HOLDS_TO_ARRIVAL = sabotage({
  file: '/verifier/src/core/bound.ts',
  find: 'return sentAt.monotonic + between - RATE * Math.max(age, Math.abs(between));',
  replace: 'return at.monotonic - 1e-9 * between * RATE;',
});

const READS_ANY_STREAM = rule('stream.nonce !== nonce,', "stream.nonce === '' && nonce === '',");

/** Lines may be missing. */
export const IGNORES_GAPS = sabotage(rule('stream.lines !== position,', 'stream.lines < position - 1e9,'));

/** A stream that another request asked for is read. */
export const READS_FOREIGN_STREAMS = sabotage(READS_ANY_STREAM);

/** A stream that another request asked for is read, also if it proves the future. */
export const READS_JOINED_STREAMS = sabotage(READS_ANY_STREAM, NOTHING_IS_IMPOSSIBLE);

/** Any database server is the same, and a change during a question is nothing. */
export const BELIEVES_ANY_DATABASE = sabotage(
  rule('!one || one !== other,', "one === '' && other === undefined,"),
  rule('hasAllChanged || dependencies', 'hasAllChanged === undefined && dependencies'),
);

/** An answer is remembered by its token alone: other records that decided on it do not count. */
export const DEPENDS_ON_TOKEN_ONLY = sabotage({
  file: '/verifier/src/core/knowledge.ts',
  find: 'const handles = provenance.dependencies.map(({ handle }) => handle);',
  replace: `const handles = provenance.dependencies.filter(({ kind }) => kind === 'token').map(({ handle }) => handle);`,
});

/** The line that says that anything may have changed is ignored. */
export const IGNORES_ALL = sabotage({
  file: '/verifier/src/core/knowledge.ts',
  find: "if (handles === 'all') forgetAll();",
  replace: "if (handles === 'all') return true;",
});

/** An answer that does not say on which records it depends is remembered. */
export const BELIEVES_OLDER_EDITIONS = sabotage(
  { file: '/verifier/src/questions/introspect.ts', find: "{ kind: '', handle: '' },", replace: '' },
  rule('!one || one !== other,', "one === '' && other === '' && other.length > 0,"),
);

/** Time is measured by the wall clock. */
export const MEASURES_BY_WALL_CLOCK = sabotage(CLOCKS_NEVER_DISAGREE, {
  file: '/verifier/src/create-verifier.ts',
  find: 'const { fetch, now, after } = surroundings;',
  replace: `const { fetch, after } = surroundings;
  const now = () => ({ monotonic: surroundings.now().wall, wall: surroundings.now().wall });`,
});

/** Clocks are compared without a margin, and proofs of the future are believed. */
export const COMPARES_WITHOUT_MARGIN = sabotage(CLOCKS_NEVER_DISAGREE, NOTHING_IS_IMPOSSIBLE, {
  file: '/verifier/src/core/bound.ts',
  find: 'export const RATE = 0.01;',
  replace: 'export const RATE = 0;',
});
