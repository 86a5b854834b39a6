import { READ_TOKEN_CHANGES } from '@gatehouse/domain/access';
import { TOLD_KINDS } from '@gatehouse/domain/services';
import { defineRoute, named } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

const nonce = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be given once') })
  .regex(/^[\w-]{16,64}$/, 'must be 16 to 64 characters of base64url')
  .meta({
    description: 'Random text, new for each request, which `hello` repeats.',
    example: 'k7Zt1RvQ3yWb9aXe',
  });

const monotonic = (description: string) =>
  z.number().meta({ description: `${description}, in milliseconds of the server's monotonic clock.` });

const database = z.string().meta({
  description:
    'Names the database server. A restart or a failover changes the name. Empty if the server cannot find it out.',
});

const hello = z
  .strictObject({
    nonce: z.string().meta({ description: 'The nonce of the request.' }),
    now: monotonic('A time after the request arrived'),
    replay_from: monotonic('The lines before the first proof repeat all changes since this time'),
    max_staleness_ms: z.int().meta({
      description: 'The longest time for which a service may use what it remembers, in milliseconds.',
    }),
    kinds: z
      .array(z.enum(TOLD_KINDS))
      .meta({ description: 'The kinds of record whose changes this stream tells.' }),
    database,
  })
  .meta({ description: 'The first line.' });

const changed = z.union([z.array(z.string()), z.literal('all')]).meta({
  description: 'The handles of records that have changed; `all` if any record may have changed.',
});

const proof = z
  .strictObject({
    heard: monotonic('All changes that were acknowledged before this time were told before this line'),
    time: z.int().meta({ description: "The server's time of day at `heard`, in milliseconds since 1970." }),
    position: z.int().meta({ description: 'The number of lines before this one.' }),
    database,
  })
  .meta({ description: 'Proves that the stream is complete up to a time.' });

/** Each line of the stream has one of these members. */
const tokenChange = named(
  'TokenChange',
  z.union([z.strictObject({ hello }), z.strictObject({ changed }), z.strictObject({ proof })]),
);

export const readTokenChanges = defineRoute({
  operationId: 'readTokenChanges',
  method: 'GET',
  path: '/api/v1/token-changes',
  tag: 'Services',
  summary: 'Follow the changes of tokens',
  description:
    'For a service that remembers answers of introspection. The stream tells which of them may have changed, and proves that it told all changes. It ends after 10 seconds; the service asks for the next one before that. `@gatehouse/verifier` does this.',
  rule: READ_TOKEN_CHANGES,
  query: { nonce },
  success: {
    status: 200,
    description: 'Server-sent events. The data of each is an object with one member.',
    events: tokenChange,
    cacheControl: 'no-store',
  },
  problems: ['too_many_streams'],
});
