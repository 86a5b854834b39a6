export { type CheckedAnswer, type CheckedDocument, createAnswerCheck } from './answer-check.ts';
