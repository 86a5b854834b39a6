import { REPORT_TOKEN_USES } from '@gatehouse/domain/access';
import { REPORT_MAX_ENTRIES, REPORTABLE_REFUSALS } from '@gatehouse/domain/services';
import { parseInstant } from '@gatehouse/domain/time';
import { parseTokenId } from '@gatehouse/domain/tokens';
import { defineRoute, named } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

/** The largest count of one entry. */
const COUNT_MAX = 1_000_000;

/** Text that `parse` reads; it returns undefined for text that is not valid. */
const parsedText = <Value>(parse: (text: string) => Value | undefined, message: string) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : message) })
    .transform((text, context) => {
      const value = parse(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    });

const COUNT = `must be a whole number from 1 to ${COUNT_MAX}`;

const reportedUse = z.object(
  {
    token: parsedText(parseTokenId, 'must be the id of a token').meta({
      format: 'uuid',
      description: 'The id of the token: `jti` of its introspection.',
    }),
    count: z
      .int({ error: (issue) => (issue.input === undefined ? 'is required' : COUNT) })
      .min(1, COUNT)
      .max(COUNT_MAX, COUNT)
      .meta({ description: 'The number of requests with the token.', example: 3 }),
    last_at: parsedText(parseInstant, 'must be a time in RFC 3339, such as 2026-09-21T14:13:20Z').meta({
      format: 'date-time',
      description: 'The time of the last of these requests.',
      example: '2026-09-21T14:13:20Z',
    }),
    client_address: z.string({ error: 'must be a string' }).optional().meta({
      description: 'The IP address of the client that sent these requests; any other text is ignored.',
      example: '203.0.113.7',
    }),
  },
  'must be an object',
);

const reportedRefusal = reportedUse.extend({
  client_address: z.string({ error: 'must be a string' }).optional().meta({
    description: 'The IP address of the client. It is ignored: addresses of such refusals are not stored.',
    example: '203.0.113.7',
  }),
  reason: z
    .enum(REPORTABLE_REFUSALS, {
      error: (issue) =>
        issue.input === undefined ? 'is required' : `must be ${REPORTABLE_REFUSALS.join(' or ')}`,
    })
    .meta({ description: 'Why the service refused these requests.' }),
});

/** A list whose length is checked before its entries, so that a long list costs little. */
function listOf<Entry extends z.ZodType>(entry: Entry, description: string) {
  const { $schema: _, ...items } = z.toJSONSchema(entry, { target: 'draft-2020-12', io: 'input' });
  return z
    .array(z.unknown(), 'must be an array')
    .max(REPORT_MAX_ENTRIES, `must have at most ${REPORT_MAX_ENTRIES} entries`)
    .pipe(z.array(entry))
    .default([])
    .meta({ items, description });
}

const report = named(
  'TokenUseReport',
  z
    .object(
      {
        uses: listOf(reportedUse, 'Requests that the service accepted.'),
        refusals: listOf(reportedRefusal, 'Requests that the service refused.'),
      },
      'must be an object',
    )
    .refine(
      ({ uses, refusals }) => uses.length + refusals.length <= REPORT_MAX_ENTRIES,
      `must have at most ${REPORT_MAX_ENTRIES} entries, uses and refusals together`,
    ),
);

export const reportTokenUses = defineRoute({
  operationId: 'reportTokenUses',
  method: 'POST',
  path: '/api/v1/token-uses',
  tag: 'Services',
  summary: 'Report uses of tokens',
  description: `For a service that remembers introspections, and so accepts and refuses requests without asking. It reports at most ${REPORT_MAX_ENTRIES} entries at once, uses and refusals together. An entry is ignored if the service never got an active answer about the token, and if its time is more than 5 seconds before the first of these answers or in the future. What is shown of a report is named as reported by the service.`,
  rule: REPORT_TOKEN_USES,
  body: report,
  isLargeJson: true,
  success: { status: 204, description: 'The report was taken.', cacheControl: 'no-store' },
});
