/** A form of a page, for tests that fill it in. */
export interface HtmlForm {
  readonly method: 'get' | 'post';
  readonly action: string;
  /** The text of the form's button. */
  readonly button: string;
  /** The text of the row or the section that contains the form, or of the form itself. */
  readonly around: string;
  /** The values of the form before a test changes them, by the names of the fields. */
  readonly values: URLSearchParams;
  /** Returns the values that the form sends after this input, by the labels of the fields. Throws for an unknown label. */
  fill(typed: Readonly<Record<string, string | boolean>>): URLSearchParams;
}

/** Finds the parts of a page that tests read. It understands the HTML of these pages only. */
export function parsePage(html: string) {
  return {
    title: textOf(/<title>(.*?)<\/title>/s.exec(html)?.[1] ?? ''),
    heading: textOf(/<h1>(.*?)<\/h1>/s.exec(html)?.[1] ?? ''),
    /** The text of the page, with one space between words. */
    text: textOf(html.replace(/^.*<body>/s, '')),
    /** A hidden form is there for scripts alone. */
    forms: [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)]
      .filter(([, tag = '']) => !/ hidden\b/.test(tag))
      .map((match) => formOf(html, match)),
    links: [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)].map(([, tag = '', content = '']) => ({
      href: attribute(tag, 'href') ?? '',
      text: textOf(content),
    })),
    /** The texts of alerts and statuses, and the errors of fields. */
    messages: [
      ...html.matchAll(/<(div|p)\b[^>]*(?:role="(?:alert|status)"|class="error")[^>]*>(.*?)<\/\1>/gs),
    ].map(([, , content = '']) => textOf(content)),
  };
}

interface Field {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly type: string;
  readonly isSent: boolean;
}

function formOf(
  html: string,
  { 0: whole, 1: tag = '', 2: content = '', index = 0 }: RegExpMatchArray,
): HtmlForm {
  const fields = fieldsIn(content);
  const before = html.slice(0, index);
  const start = Math.max(before.lastIndexOf('<tr>'), before.lastIndexOf('<section'));
  const end = html.indexOf('</', index + whole.length);
  return {
    method: attribute(tag, 'method') === 'post' ? 'post' : 'get',
    action: attribute(tag, 'action') ?? '',
    button: textOf(/<button\b[^>]*>(.*?)<\/button>/s.exec(content)?.[1] ?? ''),
    around: textOf(html.slice(start === -1 ? index : start, Math.max(end, index + whole.length))),
    values: sent(fields),
    fill(typed) {
      const values = new Map(Object.entries(typed));
      const filled = fields.map((field) => {
        const value = field.type === 'hidden' ? undefined : values.get(field.label);
        if (value === undefined) return field;
        values.delete(field.label);
        return typeof value === 'boolean' ? { ...field, isSent: value } : { ...field, value, isSent: true };
      });
      if (values.size > 0)
        throw new Error(`no field ${[...values.keys()].join(', ')} in the form:\n${content}`);
      return sent(filled);
    },
  };
}

function sent(fields: readonly Field[]): URLSearchParams {
  return new URLSearchParams(
    fields
      .filter(({ name, isSent }) => isSent && name !== '')
      .map(({ name, value }): [string, string] => [name, value]),
  );
}

function fieldsIn(content: string): readonly Field[] {
  const labels = new Map(
    [...content.matchAll(/<label\b([^>]*)>(.*?)<\/label>/gs)].map(([, tag = '', text = '']) => [
      attribute(tag, 'for'),
      textOf(text),
    ]),
  );
  const inputs = [...content.matchAll(/<input\b([^>]*)>/g)].map(([, tag = '']) => {
    const type = attribute(tag, 'type') ?? 'text';
    const isBox = type === 'checkbox' || type === 'radio';
    return fieldOf(tag, attribute(tag, 'value') ?? '', !isBox || / checked\b/.test(tag), type);
  });
  const selects = [...content.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(
    ([, tag = '', options = '']) => {
      const values = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, option = '']) => option);
      const chosen = values.find((option) => / selected\b/.test(option)) ?? values[0] ?? '';
      return fieldOf(tag, attribute(chosen, 'value') ?? '', true, 'select');
    },
  );
  // The first line break after the tag is not part of the value.
  const areas = [...content.matchAll(/<textarea\b([^>]*)>\n?(.*?)<\/textarea>/gs)].map(
    ([, tag = '', text = '']) => fieldOf(tag, unescaped(text), true, 'multiline'),
  );
  function fieldOf(tag: string, value: string, isSent: boolean, type: string): Field {
    const label = labels.get(attribute(tag, 'id')) ?? attribute(tag, 'aria-label') ?? '';
    return { name: attribute(tag, 'name') ?? '', value, label, type, isSent };
  }
  return [...inputs, ...selects, ...areas];
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
}

function textOf(html: string): string {
  return unescaped(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS[entity] ?? entity);
}
