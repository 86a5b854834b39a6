import { Writable } from 'node:stream';
import type { AccountId } from '@gatehouse/domain/accounts';
import type { AuditPosition } from '@gatehouse/domain/audit';
import type { HolderId, Lane, ReactionName } from '@gatehouse/domain/reactions';
import type { CredentialId, ServiceName } from '@gatehouse/domain/services';
import { anEvent, givenToken, givenUser } from '@gatehouse/domain/testing';
import { addMilliseconds, parseDuration } from '@gatehouse/domain/time';
import type { TokenId, UsedService } from '@gatehouse/domain/tokens';
import { expect } from 'vitest';
import type { MemoryCli, Outcome } from './memory-cli.ts';
import { aTemporaryFolder } from './temporary-folder.ts';

/** A command with its standard input, or an event between two commands. The lines between are output. */
const STEP = /^(?:\$ gatehouse (?<line>.*)\n(?<given>(?:< .*\n)*)|% (?<event>.*)\n)/gm;

/** Tokens and ids of signing keys of the domain's fakes, which are random. */
const RANDOM = /\b(?:fake-(?<tokenFormat>paseto|jwt)\.[\w.-]+|(?<keyFormat>paseto|jwt)-[\w-]{43})/g;

const MASTER_KEY = /(?<=^|")[\w-]{43}(?=$|")/gm;

/** Members with sentences for users, whose wording is not part of the interface. */
const SENTENCES = /("(?:message|remedy)": ?)"(?:[^"\\]|\\.)*"/g;

/**
 * Runs the commands of a transcript, and returns it with their output now: standard input is marked by `<`, standard
 * error by `!`, and the exit status is in brackets. Texts that differ between runs are replaced by placeholders such
 * as `<paseto token 1>`, which commands and standard input can use, too.
 */
export async function replay(cli: MemoryCli, transcript: string): Promise<string> {
  const hidden = new Map([[await aTemporaryFolder(), '<folder>']]);
  const placeholderOf = (random: string, kind: string): string => {
    const count = [...hidden.values()].filter((placeholder) => placeholder.startsWith(`<${kind} `)).length;
    const placeholder = hidden.get(random) ?? `<${kind} ${count + 1}>`;
    hidden.set(random, placeholder);
    return placeholder;
  };
  const mask = (output: string): string => {
    const masked = output
      .replaceAll(RANDOM, (found, tokenFormat?: string, keyFormat?: string) =>
        placeholderOf(found, tokenFormat ? `${tokenFormat} token` : `${keyFormat} key`),
      )
      .replaceAll(MASTER_KEY, '<master key>')
      .replaceAll(SENTENCES, '$1"<sentence>"');
    return [...hidden].reduce((rest, [random, placeholder]) => rest.replaceAll(random, placeholder), masked);
  };
  const reveal = (masked: string): string =>
    [...hidden].reduce((rest, [random, placeholder]) => rest.replaceAll(placeholder, random), masked);

  const steps: string[] = [];
  for (const { groups = {} } of transcript.matchAll(STEP)) {
    const { line = '', given = '', event } = groups;
    if (event !== undefined) {
      await happen(cli, event);
      steps.push(`% ${event}\n`);
      continue;
    }
    const words = wordsOf(line).map(reveal);
    const stdin = reveal(given.replaceAll(/^< /gm, ''));
    const { status, stdout, stderr } = await (line.startsWith('token watch')
      ? watch(cli, words)
      : cli.run(words, { stdin }));
    const said = mask(stderr).replaceAll(/^(?=.)/gm, '! ');
    steps.push(`$ gatehouse ${line}\n${given}${mask(stdout)}${said}[${status}]\n`);
  }
  return `${steps.join('\n')}\n`;
}

/** Splits a line at spaces, except within quotes and the angle brackets of a placeholder. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:"[^"]*"|<[^>]*>|[^\s"<])+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ''));
}

/** The ids of tokens that commands create are consecutive. */
const idOf = (count: number) => `01999999-0000-7000-8000-${String(count).padStart(12, '0')}` as TokenId;

/** The ids of credentials that commands create are consecutive as well. */
const credentialIdOf = (count: number) =>
  `01999999-0000-7000-a000-${String(count).padStart(12, '0')}` as CredentialId;

/** The address of a use, which a service reports if the token is used at a service. */
const usedFrom = (
  from: string | undefined,
  service: string | undefined,
): [from: string | undefined, service?: UsedService] =>
  service === undefined ? [from] : [undefined, { name: service as ServiceName, from }];

/** Events between commands: time passes, tokens and credentials are used or refused, and a user signs in. */
async function happen({ store, clock }: MemoryCli, event: string): Promise<void> {
  const [, passed] = /^(\w+) later$/.exec(event) ?? [];
  const [, token, service, refused, from] =
    /^token (\d+) is (?:used(?: at (\S+))?|(refused): expired)(?: from (\S+))?$/.exec(event) ?? [];
  const [, credential] = /^credential (\d+) is used$/.exec(event) ?? [];
  const [, email, times] = /^(\S+) signs in for (.*)$/.exec(event) ?? [];
  if (passed !== undefined) {
    clock.advance(parseDuration(passed) ?? expect.fail(event));
  } else if (token !== undefined) {
    if (refused) store.usage.refused(idOf(Number(token)), clock.now(), 'expired', from);
    else store.usage.used(idOf(Number(token)), clock.now(), ...usedFrom(from, service));
    await store.usage.flush();
  } else if (credential !== undefined) {
    store.usage.usedCredential(credentialIdOf(Number(credential)), clock.now());
  } else if (event === 'a reaction has stuck events') {
    await givenStuckEvents(store, clock);
  } else if (email !== undefined) {
    const user = await givenUser(store, 1 as AccountId, { email });
    for (const [count, [time]] of [...(times ?? '').matchAll(/\d+d/g)].entries()) {
      const expiresAt = addMilliseconds(clock.now(), parseDuration(time) ?? expect.fail(event));
      const signIn = { kind: 'sign-in', name: 'Sign-in', createdAt: clock.now(), expiresAt } as const;
      await givenToken(store, user, { ...signIn, id: idOf(101 + count) });
    }
  } else expect.fail(event);
}

/** A reaction that no server runs, with a parked event, a failed one and one that waits behind it. */
async function givenStuckEvents(
  { reactions }: MemoryCli['store'],
  { now }: MemoryCli['clock'],
): Promise<void> {
  const name = 'webhooks' as ReactionName;
  const holder = idOf(1) as string as HolderId;
  await reactions.register(name, 0);
  await reactions.hold(name, holder, 3_600_000);
  const addressed = [1, 2, 3].map((position) => ({
    position: position as AuditPosition,
    lane: (position === 1 ? 'webhook 7' : 'webhook 8') as Lane,
    event: anEvent({ at: now(), action: 'token.created' }),
  }));
  await reactions.advance(name, holder, { from: 0, to: 3 as AuditPosition, addressed, now: now() });
  const due = await reactions.findDue(name, { now: now(), lanes: 2, each: 1, except: [] });
  for (const { lane, deliveries } of due) {
    const id = deliveries[0]?.id ?? expect.fail();
    const failed =
      lane === 'webhook 7'
        ? { id, tries: 20, problem: 'status 500', next: { parkedAt: now() } }
        : {
            id,
            tries: 3,
            problem: 'no answer within 15000 milliseconds',
            next: { retryAt: addMilliseconds(now(), 4000) },
          };
    await reactions.settle(name, holder, { lane, done: [], failed }, now());
  }
  await reactions.release(name, holder);
}

/** Watches two tokens being used and refused, until they are printed. */
async function watch({ store, clock, run }: MemoryCli, words: readonly string[]): Promise<Outcome> {
  const { listen } = store.usageFeed;
  const listening = Promise.withResolvers<void>();
  Object.assign(store.usageFeed, {
    listen: async () => {
      const subscription = await listen();
      listening.resolve();
      return subscription;
    },
  });
  const interrupt = new AbortController();
  const printed = Promise.withResolvers<void>();
  const isForOneToken = words[2] !== undefined && !words[2].startsWith('-');
  const lines = isForOneToken ? 1 : 2;
  let output = '';
  const stdout = new Writable({
    write(chunk, _, done) {
      output += chunk;
      if (output.split('\n').length > lines) printed.resolve();
      done();
    },
  });
  const ended = run(words, { stdout, signal: interrupt.signal });
  const refused = await Promise.race([listening.promise, ended]);
  if (refused) return refused;
  for (const token of [idOf(1), idOf(2)]) {
    store.usage.used(token, clock.now());
    store.usage.refused(token, clock.now(), 'expired');
  }
  await store.usage.flush();
  await printed.promise;
  interrupt.abort();
  return { ...(await ended), stdout: output };
}
