import { checkUse } from './checks.ts';
import { type Facts, SUBJECT, stateOf } from './facts.ts';
import { visible } from './primary.ts';
import type { Asked, World } from './world.ts';

/** Begins an introspection. At most three are under way. */
export function ask(world: World, token: number, index: number, tokens = [token]): Asked | undefined {
  if (world.asked.length >= 3) return undefined;
  const server = world.servers[index] as World['servers'][number];
  const { pool } = server;
  // A read that other requests share began before this one.
  const shared = { facts: pool.facts.at(-2) ?? visible(pool), of: pool };
  const read = world.planted.joinsReads ? shared : undefined;
  const asked: Asked = {
    question: world.knowledge.ask(),
    tokens,
    server,
    at: world.time,
    stage: 'sent',
    joined: 0,
    read,
  };
  world.asked.push(asked);
  return asked;
}

export function join({ knowledge }: World, asked: Asked): void {
  if (knowledge.isFresh()) asked.joined += 1;
}

export function abandon(world: World, asked: Asked): void {
  world.asked = world.asked.filter((other) => other !== asked);
  world.knowledge.abandon(asked.question);
}

/** Takes an introspection one step further: it arrives, it is read, its answer arrives. */
export function proceed(world: World, asked: Asked): void {
  if (asked.stage === 'sent') asked.stage = 'parsed';
  else if (asked.stage === 'parsed') read(world, asked);
  else answer(world, asked);
}

function read({ planted }: World, asked: Asked): void {
  const { feed, heard, pool } = asked.server;
  const memory = feed.facts[Math.min(heard, feed.facts.length - 1)] as Facts;
  asked.stage = 'read';
  asked.read ??= { facts: planted.answersFromMemory ? memory : visible(pool), of: pool };
}

/** All tokens of a question are answered in one turn of the event loop. */
function answer(world: World, asked: Asked): void {
  world.asked = world.asked.filter((other) => other !== asked);
  for (const token of asked.tokens) answerAbout(world, asked, token);
}

function answerAbout(world: World, asked: Asked, token: number): void {
  const { knowledge, planted, stoodStill, counts } = world;
  const { question, read } = asked;
  if (!read) throw new Error('An answer needs a read.');
  const owner = planted.namesSubject ? SUBJECT : read.facts.tokens[token]?.owner;
  const dependencies = [
    { kind: 'token', handle: `token:${token}` },
    { kind: 'user', handle: `user:${owner}` },
  ];
  const state = stateOf(read.facts, token);
  const provenance = {
    dependencies,
    database: (planted.namesNoDatabase && databaseOfStream(world)) || read.of.name,
  };
  // A machine whose clocks stood still does not know how long it waited.
  const isTimed = !stoodStill || asked.at >= stoodStill.until;
  for (let joined = asked.joined; joined > 0; joined -= 1) {
    if (!knowledge.mayShare(question, provenance)) continue;
    counts.shared += 1;
    if (isTimed) checkUse(world, token, state, 'shared');
  }
  const outcome = knowledge.answered(question, String(token), { state }, provenance);
  if (outcome === 'remembered') counts.remembered += 1;
  if (outcome !== 'useless' && isTimed) checkUse(world, token, state, 'asked');
}

const databaseOfStream = ({ wires }: World): string | undefined =>
  wires
    .flatMap(({ written }) => written.flatMap((line) => ('proof' in line ? [line.proof.database] : [])))
    .at(-1);

/** A request with this token is decided from memory. */
export function recall(world: World, token: number): void {
  const remembered = world.knowledge.recall(String(token));
  if (!remembered) return;
  world.counts.recalled += 1;
  checkUse(world, token, remembered.state, 'remembered');
}
