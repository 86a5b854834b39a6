// A service that asks for each request whether its token is active (RFC 7662), over connections that stay open.
import { Agent, createServer, type IncomingMessage, request as send } from 'node:http';
import { announce, given } from './announce.ts';

const body = given('BODY');
const scope = given('SCOPE');
const endpoint = given('INTROSPECTION_URL');
const authorization = given('INTROSPECTION_AUTHORIZATION');
const agent = new Agent({ keepAlive: true });

announce(
  createServer(async (request, response) => {
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    const answer = scheme?.toLowerCase() === 'bearer' ? await introspect(token) : undefined;
    if (answer?.active !== true || !`${answer.scope}`.split(' ').includes(scope)) {
      response.writeHead(401).end();
      return;
    }
    response.setHeader('Content-Type', 'application/json');
    response.end(body);
  }),
);

interface Introspection {
  readonly active: boolean;
  readonly scope?: string;
}

function introspect(token: string): Promise<Introspection | undefined> {
  const form = `token=${encodeURIComponent(token)}`;
  const headers = {
    authorization,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': form.length,
  };
  return new Promise((resolve, reject) => {
    send(endpoint, { method: 'POST', agent, headers }, (answer) => {
      readAll(answer).then(
        (text) => resolve(answer.statusCode === 200 ? JSON.parse(text) : undefined),
        reject,
      );
    })
      .on('error', reject)
      .end(form);
  });
}

async function readAll(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return text;
}
