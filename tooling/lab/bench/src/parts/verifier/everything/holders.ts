// Several verifiers in one process that remember many tokens, and check some of them every second.
import { readFileSync } from 'node:fs';
import { createVerifier } from '@gatehouse/verifier';
import { askAbout } from '../ask-about.ts';
import type { HoldersOrder, HoldersPlan, HoldersReport } from './messages.ts';

const plan: HoldersPlan = JSON.parse(process.argv[2] ?? '');
const { url, credential, scope, verifiers: count, checksPerSecond } = plan;
const wanted = { scope };
const tokens: readonly string[] = JSON.parse(readFileSync(plan.tokens, 'utf8'));

const overTheNetwork = globalThis.fetch;
/** The answers about all tokens while the verifiers are filled: nothing changes then, so one question for each token will do. */
let answers: Map<string, Promise<string>> | undefined;
let questions = 0;

globalThis.fetch = async (input, init) => {
  if (!/\/introspect/.test(`${input}`)) return overTheNetwork(input, init);
  const form = `${init?.body}`;
  const isOfOne = new URLSearchParams(form).get('token') !== null;
  if (!answers || !isOfOne) {
    questions += 1;
    return overTheNetwork(input, init);
  }
  const answer = answers.get(form) ?? overTheNetwork(input, init).then((response) => response.text());
  answers.set(form, answer);
  return new Response(await answer);
};

const verifiers = Array.from({ length: count }, () =>
  createVerifier({ url, credential, maxTokens: tokens.length }),
);

async function rememberAll(): Promise<void> {
  answers = new Map();
  for (const verifier of verifiers) await askAbout(verifier, tokens, wanted);
  answers = undefined;
}

function checkOne(): void {
  const verifier = verifiers[Math.floor(Math.random() * count)];
  const token = tokens[Math.floor(Math.random() * tokens.length)] as string;
  if (verifier?.verifyNow(token, wanted) === undefined) void verifier?.verify(token, wanted);
}

process.on('message', async (order: HoldersOrder) => {
  if ('remember' in order) await rememberAll();
  process.send?.({ questions } satisfies HoldersReport);
  questions = 0;
});
process.on('disconnect', () => process.exit());
setInterval(checkOne, 1000 / (count * checksPerSecond));
process.send?.({ questions } satisfies HoldersReport);
