import { createOpenApiDocument } from '@gatehouse/api-contract';
import { createAnswerCheck } from '@gatehouse/api-contract/testing';
import { expect } from 'vitest';
import type { RawReply } from './raw-http.ts';

const { documented, problemsOf } = createAnswerCheck(
  JSON.parse(JSON.stringify(createOpenApiDocument({ bearerFormat: 'PASETO' }))),
);

/** Every operation with every status that the document has for it. */
export const documentedAnswers = documented;

/** Expects the answer to be one that the document describes for this operation. */
export function expectAsDocumented(operationId: string, reply: RawReply): void {
  expect(problemsOf(operationId, reply), `${operationId} ${reply.status}`).toEqual([]);
}
