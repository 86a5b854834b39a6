import { PROBLEMS, ROUTES } from '@gatehouse/api-contract';
import { ok } from '@gatehouse/domain';
import { READ_ME } from '@gatehouse/domain/access';
import { defineRoute, handleRoute } from '@gatehouse/extension-kit/http';
import { createVisitor } from '@gatehouse/pages/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { call } from '../../../testing/client.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);

/** The section of an operation. */
const sectionOf = (html: string, id: string) =>
  html.split('<section class="operation" id="').find((part) => part.startsWith(`${id}"`)) ?? expect.fail(id);

test('the reference has every operation, parameter, member, header and problem of the document', async () => {
  await using scene = await startTestServer();
  const { html, text, status } = await scene.visitor().get('/docs');
  expect(status).toBe(200);
  const served = JSON.parse((await call(scene.url, '/openapi.json')).text);
  const operations = Object.values<object>(served.paths).flatMap((path) => Object.values(path));
  expect(operations.length).toBeGreaterThan(Object.keys(ROUTES).length);
  for (const { operationId, summary, responses } of operations) {
    expect(idsOf(html)).toContain(operationId);
    expect(text).toContain(summary);
    const section = sectionOf(html, operationId);
    for (const answered of Object.keys(responses)) {
      expect(section).toContain(`class="status">${answered}<`);
    }
  }
  for (const { type, title } of Object.values(PROBLEMS)) {
    expect(idsOf(html)).toContain(type.replace('urn:gatehouse:problem:', 'problem-'));
    expect(text).toContain(title);
  }
  for (const name of ['account.name', 'token.scopes', 'keys[].kid', 'If-None-Match', 'X-Token-Expires-At']) {
    expect(text).toContain(name);
  }
});

test('each anchor is there once, and each link within the page leads to one', async () => {
  await using scene = await startTestServer();
  const { html, links } = await scene.visitor().get('/docs');
  const ids = idsOf(html);
  expect(new Set(ids).size).toBe(ids.length);
  const within = links.map(({ href }) => href).filter((href) => href.startsWith('#'));
  expect(within.length).toBeGreaterThan(100);
  expect(within.map((href) => href.slice(1)).filter((id) => !ids.includes(id))).toEqual([]);
});

test('it needs no session and no script, which only shows more, and names this deployment', async () => {
  await using scene = await startTestServer({ ports: { publicUrl: 'https://gatehouse.example' } });
  const { html } = await createVisitor(scene.url, 'https://gatehouse.example').get('/docs');
  expect([...html.matchAll(/<script[^>]*src="([^"]*)"/g)].map(([, path]) => path)).toEqual(
    ['copy', 'examples-language', 'reading-position', 'try-it'].map((name) =>
      expect.stringMatching(`^/assets/${name}-[0-9a-f]{12}\\.js$`),
    ),
  );
  for (const [, shown] of html.matchAll(/(<form [^>]*data-try[^>]*>|<button [^>]*data-copy[^>]*>)/g))
    expect(shown).toContain(' hidden');
  expect(html).toContain('https://gatehouse.example/api/v1/orgs/42');
});

test('what a team adds stands there by itself, and its words are no HTML', async () => {
  const route = defineRoute({
    operationId: 'readGauge',
    method: 'POST',
    path: '/api/v1/gauges/{name}',
    tag: '<b>Gauges</b>',
    summary: 'Read <script>alert(1)</script>',
    rule: READ_ME,
    params: { name: z.string().meta({ example: 'a"b' }) },
    body: z.object({ note: z.string().meta({ example: "it's <b>" }), level: z.int().min(1).max(9) }),
    success: {
      status: 200,
      description: 'It.',
      body: z.array(z.enum(['low', 'high'])),
      cacheControl: 'no-store',
    },
    refusals: [{ code: 'gauge_broken', status: 409, title: 'The gauge is <i>broken</i>.', exit: 'conflict' }],
  });
  const handled = handleRoute(route, { handle: () => ok(['low' as const]), toBody: (value) => value });
  const extension = {
    routes: [handled],
    deadline: () => new Promise<never>(() => undefined),
    onBehalfOf: <T>(_: unknown, work: () => T) => work(),
  };
  await using scene = await startTestServer({ ports: { extensions: [extension] } });
  const { html } = await scene.visitor().get('/docs');
  for (const markup of ['<script>', '<b>', '<i>']) expect(html).not.toContain(markup);
  const section = sectionOf(html, 'readGauge');
  expect(section).toContain('integer, 1 to 9');
  expect(section).toContain('href="#problem-gauge-broken"');
  expect(section).toContain('/api/v1/gauges/a%22b');
  expect(html).toContain('id="problem-gauge-broken"');
});
