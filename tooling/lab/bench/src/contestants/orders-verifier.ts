// A service that checks tokens with the verifier: the bare one, with a check before each answer.
import { createServer } from 'node:http';
import { createVerifier } from '@gatehouse/verifier';
import { announce, given } from './announce.ts';

const body = given('BODY');
const wanted = { scope: given('SCOPE') };
const verifier = createVerifier({ url: given('GATEHOUSE_URL'), credential: given('GATEHOUSE_CREDENTIAL') });

announce(
  createServer(async (request, response) => {
    const verdict = verifier.verifyNow(request, wanted) ?? (await verifier.verify(request, wanted));
    if (!verdict.ok) return verdict.send(response);
    response.setHeader('Content-Type', 'application/json');
    response.end(body);
  }),
);
