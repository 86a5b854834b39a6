import { table } from '../elements/table.ts';
import { type Html, html } from '../html.ts';
import { codeBlock, marked } from './code.ts';
import type { Operation, Parameter, Placed, ResponseOf } from './description.ts';
import type { ExampleRequest } from './example-request.ts';
import { problemAnchor } from './problem-list.ts';
import { exampleOf, type Member, membersOf, typeInWords } from './schema.ts';
import { examples } from './snippets.ts';
import { tryIt } from './try-it.ts';

/** Describes an operation: its parameters, its body, example requests, and its responses by status. */
export function operationSection(origin: string, placed: Placed): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description, parameters, requestBody } = operation;
  const { schema: body } = bodyOf(operation);
  return html`<section class="operation" id="${operationId}"><h3>${summary}</h3>
<p class="endpoint"><code><strong>${method}</strong> ${path}</code></p>
${description && html`<p>${marked(description)}</p>`}${operation.security.length === 0 && html`<p>Needs no token.</p>`}
<h4>Parameters</h4>${parameterTable(parameters)}
${
  body &&
  html`<h4>Body</h4>${requestBody && html`<p>${marked(requestBody.description)}</p>`}${fieldTable('Body fields', membersOf(body))}`
}
<h4>Examples</h4>${examples(requestOf(origin, placed))}
${tryIt(placed)}<h4>Responses</h4>${responseList(operation.responses)}
</section>
`;
}

function parameterTable(parameters: readonly Parameter[]): Html {
  return table({
    caption: 'Parameters',
    columns: {
      Name: ({ name }) => html`<code>${name}</code>`,
      In: (each) => each.in,
      Type: ({ schema, required }) => html`${typeInWords(schema)}${!required && ', optional'}`,
      Description: ({ description = '' }) => marked(description),
    },
    rows: parameters,
  });
}

function fieldTable(caption: string, members: readonly Member[]): Html {
  return table({
    caption,
    columns: {
      Field: ({ path }) => html`<code>${path}</code>`,
      Type: ({ type, isRequired }) => html`${type}${!isRequired && ', optional'}`,
      ...(members.some((each) => each.description !== undefined) && {
        Description: ({ description }: Member) => description && marked(description),
      }),
    },
    rows: members,
  });
}

type Responses = readonly (readonly [status: string, response: ResponseOf])[];

const isProblem = ([, { content = {} }]: Responses[number]) => 'application/problem+json' in content;

function responseList(responses: Readonly<Record<string, ResponseOf>>): Html {
  const all = Object.entries(responses);
  return html`${all.filter((each) => !isProblem(each)).map(successfulResponse)}${problemLinks(all.filter(isProblem))}`;
}

function successfulResponse([status, { description, headers, content = {} }]: Responses[number]): Html {
  const [type, { schema } = { schema: undefined }] = Object.entries(content)[0] ?? [];
  const isStream = type === 'text/event-stream';
  const variants = schema ? (schema.oneOf ?? (isStream ? schema.anyOf : undefined) ?? [schema]) : [];
  // The fields of all events are shown. A body with several variants shows the fields of the first, which has the most.
  const described = isStream ? variants : variants.slice(0, 1);
  const fields = described.flatMap((each) => membersOf(each));
  return html`<div class="answer"><p><strong class="status">${status}</strong> ${description}</p>
${fields.length > 0 && fieldTable('Response fields', fields)}${variants.map((each) => codeBlock(JSON.stringify(exampleOf(each), null, isStream ? 0 : 2)))}
<p class="hint">Headers: ${headerLinks(Object.keys(headers))}</p></div>
`;
}

/** The headers that tell a client more than the problem itself. All other headers are those of every response. */
const TELLING = ['Retry-After', 'WWW-Authenticate', 'Allow'];

/** Links to the problems of an operation, which the section of problems describes once for all operations. */
function problemLinks(responses: Responses): Html {
  return html`<ul class="problems">${responses.map(([status, { headers, content = {} }]) => {
    const { schema } = Object.values(content)[0] ?? {};
    const problems = (schema?.oneOf ?? [schema ?? {}]).map((each) => exampleOf(each) as Problem);
    const telling = TELLING.filter((name) => name in headers);
    return html`<li><strong class="status">${status}</strong> ${problems.map(
      ({ type, title }, index) => html`${index > 0 && ' Or: '}<a href="#${problemAnchor(type)}">${title}</a>`,
    )}${telling.length > 0 && html` <span class="hint">Header: ${headerLinks(telling)}</span>`}</li>
`;
  })}</ul>`;
}

interface Problem {
  readonly type: string;
  readonly title: string;
}

function headerLinks(names: readonly string[]): Html {
  return html`${names.map((name, index) => html`${index > 0 && ', '}<a href="#header-${name.toLowerCase()}">${name}</a>`)}`;
}

function requestOf(origin: string, { method, path, operation }: Placed): ExampleRequest {
  const needed = operation.parameters.filter((each) => each.in !== 'header' && each.required);
  const valueIn = ({ name, schema, example }: Parameter) =>
    encodeURIComponent(String(example ?? exampleOf(schema, name)));
  const inPath = path.replace(/\{([^}]+)\}/g, (_, name) => {
    const parameter = needed.find((each) => each.name === name);
    return parameter ? valueIn(parameter) : name;
  });
  const query = needed.filter((each) => each.in === 'query').map((each) => `${each.name}=${valueIn(each)}`);
  const { schema, isForm } = bodyOf(operation);
  return {
    method,
    url: `${origin}${inPath}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    bearerIn: variableFor(operation),
    body: schema && exampleOf(schema),
    isForm,
    hasAnswer: operation.responses['204'] === undefined,
  };
}

/** Returns the schema of the body of an operation, which the reference shows as JSON if the operation takes JSON. */
function bodyOf({ requestBody }: Operation) {
  const json = requestBody?.content['application/json'];
  const form = requestBody?.content['application/x-www-form-urlencoded'];
  return { schema: (json ?? form)?.schema, isForm: json === undefined && form !== undefined };
}

function variableFor({ security }: Operation): ExampleRequest['bearerIn'] {
  if (security.length === 0) return undefined;
  return security.some((scheme) => 'bearer' in scheme) ? 'GATEHOUSE_TOKEN' : 'GATEHOUSE_CREDENTIAL';
}
