import { table } from '../elements/table.ts';
import { type Html, html } from '../html.ts';
import { codeBlock, marked } from './code.ts';
import type { Operation, Parameter, Placed, ResponseOf } from './description.ts';
import { problemAnchor } from './problem-list.ts';
import { exampleOf, type Member, membersOf, typeInWords } from './schema.ts';
import { type ExampleRequest, examples } from './snippets.ts';

/** Describes an operation: its parameters, its body, example requests, and its answers by status. */
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
  html`<h4>Body</h4>${requestBody && html`<p>${marked(requestBody.description)}</p>`}${memberTable('Members of the body', membersOf(body))}`
}
<h4>Examples</h4>${examples(requestOf(origin, placed))}
<h4>Answers</h4>${answerTable(operation.responses)}
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

function memberTable(caption: string, members: readonly Member[]): Html {
  return table({
    caption,
    columns: {
      Member: ({ path }) => html`<code>${path}</code>`,
      Type: ({ type, isRequired }) => html`${type}${!isRequired && ', optional'}`,
      ...(members.some((each) => each.description !== undefined) && {
        Description: ({ description }: Member) => description && marked(description),
      }),
    },
    rows: members,
  });
}

function answerTable(responses: Readonly<Record<string, ResponseOf>>): Html {
  return html`${Object.entries(responses).map(([status, { description, headers, content = {} }]) => {
    const [type, { schema } = { schema: undefined }] = Object.entries(content)[0] ?? [];
    const isProblem = type === 'application/problem+json';
    const isStream = type === 'text/event-stream';
    const variants = schema ? (schema.oneOf ?? (isStream ? schema.anyOf : undefined) ?? [schema]) : [];
    // The members of all events are shown. A body with several variants shows the members of the first, which has the most.
    const described = isStream ? variants : variants.slice(0, 1);
    const members = isProblem ? [] : described.flatMap((each) => membersOf(each));
    const examples = variants.map((each) => exampleOf(each));
    return html`<div class="answer"><p><strong class="status">${status}</strong> ${
      isProblem ? problemLinks(examples) : description
    }</p>
${members.length > 0 && memberTable(`Members of the answer ${status}`, members)}${examples.map((example) => codeBlock(JSON.stringify(example, null, isProblem || isStream ? 0 : 2)))}
<p class="hint">Headers: ${Object.keys(headers).map((name, index) => html`${index > 0 && ', '}<a href="#header-${name.toLowerCase()}">${name}</a>`)}</p></div>
`;
  })}`;
}

function problemLinks(examples: readonly unknown[]): Html {
  return html`${(examples as readonly { type: string; title: string }[]).map(
    ({ type, title }, index) => html`${index > 0 && ' Or: '}<a href="#${problemAnchor(type)}">${title}</a>`,
  )}`;
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
