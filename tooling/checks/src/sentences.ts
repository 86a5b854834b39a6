export interface Sentence {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * Returns the sentences of a document, without its code and headings. A point of a list and a cell of a table begin a
 * sentence. The text of a link to a source is the title of a test, and not prose of the document.
 */
export function sentencesOfDocument(text: string): readonly Sentence[] {
  const prose = text
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, blank)
    .replaceAll(/^#+ .*$/gm, blank)
    .replaceAll(/\[[^\]]*\]\([^)]*\.ts\)/g, blank)
    .replaceAll(/^ *(?:[-*]|\d+\.) /gm, (mark) => `\n${mark}`)
    .replaceAll(/ *\|/g, '\n\n|');
  return sentencesIn(prose, text);
}

/** Returns the sentences of the comments of a source. */
export function sentencesOfComments(text: string): readonly Sentence[] {
  const comments = [...text.matchAll(/\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|(?<=\s)\/\/ .*$/gm)];
  return comments.flatMap(({ 0: comment, index }) => {
    const before = text.slice(0, index).match(/\n/g)?.length ?? 0;
    const prose = comment.replaceAll(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/) ?|\*\/$/gm, '');
    return sentencesIn(prose, prose).map((sentence) => ({ ...sentence, line: sentence.line + before }));
  });
}

/** Splits paragraphs into sentences. `original` has the lines, in which each sentence is looked for. */
function sentencesIn(prose: string, original: string): readonly Sentence[] {
  let from = 0;
  return prose.split(/\n[ \t]*\n/).flatMap((paragraph) =>
    paragraph
      .replaceAll(/\s+/g, ' ')
      .replace(/^[ |]*(?:[-*]|\d+\.)? ?/, '')
      .split(/(?<=[.!?:;]\)?\*{0,2}) (?=[*`"([]*[A-Z])/)
      .map((text) => {
        const start = text.split(' ').slice(0, 4).map(escaped).join('[\\s*/>|-]+');
        const found = start === '' ? -1 : original.slice(from).search(new RegExp(start));
        from += Math.max(0, found);
        const line = (original.slice(0, from).match(/\n/g)?.length ?? 0) + 1;
        return { line, text: text.trim() };
      }),
  );
}

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
const blank = (text: string): string => text.replaceAll(/[^\n]/g, '');
