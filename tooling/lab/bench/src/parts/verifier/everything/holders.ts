// Several verifiers in one process that remember many tokens, and check some of them every second.
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createVerifier } from '@gatehouse/verifier';
import { askAbout } from '../ask-about.ts';
import type { HoldersOrder, HoldersPlan, HoldersReport } from './messages.ts';

const plan: HoldersPlan = JSON.parse(process.argv[2] ?? '');
const { url, credential, scope, verifiers: count, checksPerSecond } = plan;
const wanted = { scope };
const tokens: readonly string[] = JSON.parse(readFileSync(plan.tokens, 'utf8'));

const overTheNetwork = globalThis.fetch;
/**
 * The answers about all tokens while the verifiers are filled. Nothing changes then, so one question for each token will do,
 * and a million signatures need not be checked.
 */
let answers: Map<string, Promise<Response>> | undefined;
let questions = 0;

globalThis.fetch = async (input, init) => {
  if (!/\/(introspect|token-refreshes)$/.test(`${input}`)) return overTheNetwork(input, init);
  const token = init?.body instanceof URLSearchParams ? init.body.get('token') : null;
  if (!answers || token === null) {
    questions += 1;
    return overTheNetwork(input, init);
  }
  const known = answers;
  const answer = known.get(token) ?? overTheNetwork(input, init).then(readAgain);
  known.set(token, answer);
  // A busy server is asked again.
  const forget = () => known.delete(token);
  answer.then(({ status }) => status === 200 || forget(), forget);
  // The streams are read meanwhile: without them nothing is remembered.
  await new Promise(setImmediate);
  return answer;
};

/** A response that can be read many times. It has what the verifier reads, because to make a real one costs more. */
async function readAgain(response: Response): Promise<Response> {
  const body = [Buffer.from(await response.arrayBuffer())];
  // The verifier reads these three members only.
  return { status: response.status, headers: response.headers, body } as unknown as Response;
}

const { verify } = crypto;
function checkSignatures(check: boolean): void {
  // The function has several forms, and the verifier calls one of them.
  crypto.verify = check ? verify : ((() => true) as unknown as typeof verify);
  syncBuiltinESMExports();
}

const verifiers = Array.from({ length: count }, () =>
  createVerifier({ url, credential, maxTokens: tokens.length }),
);

async function rememberAll(): Promise<void> {
  answers = new Map();
  checkSignatures(false);
  for (const verifier of verifiers) await askAbout(verifier, tokens, wanted);
  checkSignatures(true);
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
