import { createOpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import { createAnswerCheck } from '@gatehouse/api-contract/testing';
import type { RawReply } from '@gatehouse/front/testing';
import { expect } from 'vitest';
import { REGISTERED } from './registered.ts';

const layers = await Promise.all(REGISTERED.map(({ http }) => http?.()));
const routes = [...Object.values(ROUTES), ...layers.flatMap((http) => http?.routes ?? [])];

const { documented, problemsOf } = createAnswerCheck(
  JSON.parse(JSON.stringify(createOpenApiDocument('paseto', routes))),
);

/** Every operation with every documented status. */
export const documentedAnswers = documented;

/** Expects a response that the document describes for this operation. */
export function expectAsDocumented(operationId: string, reply: RawReply): void {
  expect(problemsOf(operationId, reply), `${operationId} ${reply.status}`).toEqual([]);
}
