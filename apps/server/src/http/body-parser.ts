import { err, ok, type Result } from '@gatehouse/domain';
import type { H3Event } from 'h3';
import type { z } from 'zod';
import type { Answer } from './answer.ts';
import { readBody } from './body.ts';
import { bodyFormat, isUncompressed } from './body-format.ts';
import { fieldErrors, invalidFields, PROBLEM_ANSWERS } from './problem.ts';
import { nodeRequest } from './request.ts';

/** The body as the schema reads it, or the answer to one that it refuses. */
export async function parseBody(event: H3Event, schema: z.ZodType): Promise<Result<unknown, Answer>> {
  const request = nodeRequest(event);
  const format = bodyFormat(request.headers['content-type']);
  if (!format || !isUncompressed(request)) return err(PROBLEM_ANSWERS.unsupported_media_type);

  const bytes = await readBody(request);
  if (bytes === 'too_large') return err(PROBLEM_ANSWERS.body_too_large);
  if (bytes === 'aborted') return err(PROBLEM_ANSWERS.malformed_body);
  const body = format(bytes);
  if (!body.ok) return err(PROBLEM_ANSWERS.malformed_body);
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return ok(parsed.data);
  return err(invalidFields('invalid_input', fieldErrors(parsed.error, 'body')));
}
