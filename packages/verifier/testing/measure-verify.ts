/**
 * Measures `verifyNow` for a remembered token: `node packages/verifier/testing/measure-verify.ts`. It prints the time of one call in
 * microseconds of CPU, with the hash of the token, both clocks and the count for the report of uses.
 */
import { aVerifier } from './stub-gatehouse.ts';

const CALLS = 1_000_000;
const TOKENS = 1000;
const WANTED = { scope: 'orders:read', clientAddress: '203.0.113.7' };

const { verifier, prove, jwt, pass } = aVerifier({ maxQuestions: TOKENS });
const stream = await prove();
const tokens = Array.from({ length: TOKENS }, (_, id) => jwt(`${id}`));
await Promise.all(tokens.map((token) => verifier.verify(token, WANTED)));
pass(100);
await stream.proof();

let accepted = 0;
const begin = process.cpuUsage();
for (let call = 0; call < CALLS; call += 1) {
  if (verifier.verifyNow(tokens[call % TOKENS] as string, WANTED)?.ok) accepted += 1;
}
const verifyMicroseconds = Number((process.cpuUsage(begin).user / CALLS).toFixed(3));
if (accepted !== CALLS) throw new Error(`Only ${accepted} of ${CALLS} calls accepted their token.`);
process.stdout.write(`${JSON.stringify({ verifyMicroseconds })}\n`);
