import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A top-level declaration of a file that the compiler emitted, with its comment. */
export interface Declaration {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/** A file of declarations. Paths start at the folder of all packages, such as `domain/src/index.d.ts`. */
export interface DeclarationFile {
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** The exported names in order, with the file of each; undefined for names of libraries. */
  readonly exported: ReadonlyMap<string, Reference | undefined>;
  /** Files whose exports it exports again. */
  readonly passedOn: readonly string[];
  /** Its imports, by their names in this file. */
  readonly imported: ReadonlyMap<string, Reference>;
}

export interface Reference {
  readonly file: string;
  readonly name: string;
}

const START = /^(?:export|declare|import|type|interface|const|\/\*\*)/;
const DECLARED = /^(?:export )?(?:declare )?(?:const|function|interface|type|abstract class|class) (\w+)/m;
const NAMED = /^(import|export) (?:type )?\{([^}]*)\}(?: from '([^']+)')?/m;

/** Reads a file as the compiler writes it: a declaration starts at the beginning of a line. */
export function readDeclarations(folder: string, file: string): DeclarationFile {
  const declarations = new Map<string, Declaration>();
  const exported = new Map<string, Reference | undefined>();
  const imported = new Map<string, Reference>();
  const passedOn: string[] = [];
  for (const text of statementsOf(readFileSync(join(folder, file), 'utf8'))) {
    const [, keyword, names, from = ''] = NAMED.exec(text) ?? [];
    const [, all] = /^export (?:type )?\* from '([^']+)'/m.exec(text) ?? [];
    const [, name] = DECLARED.exec(text) ?? [];
    if (keyword !== undefined && names !== undefined) {
      const source = fileOf(from, file);
      for (const [original, here] of namesIn(names)) {
        const reference = source === undefined ? undefined : { file: source, name: original };
        if (keyword === 'export') exported.set(here, reference);
        else if (reference) imported.set(here, reference);
      }
    } else if (name !== undefined) {
      declarations.set(name, { file, name, text: `${declarations.get(name)?.text ?? ''}${text}` });
      if (/^export /m.test(text)) exported.set(name, { file, name });
    } else if (all !== undefined) {
      passedOn.push(join(file, '..', all.replace(/\.ts$/, '.d.ts')));
    }
  }
  return { declarations, exported, passedOn, imported };
}

function statementsOf(text: string): readonly string[] {
  const statements: string[] = [];
  let isComment = false;
  for (const line of text.split('\n')) {
    // A comment belongs to the statement below it.
    if (START.test(line) && !isComment) statements.push('');
    if (line !== '') statements.push(`${statements.pop() ?? ''}${line}\n`);
    isComment = line.startsWith('/**') || line.startsWith(' *');
  }
  return statements;
}

/** Returns pairs of the name there and the name here, of a list such as `type A, b as c`. */
function namesIn(list: string): readonly (readonly [string, string])[] {
  return list
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((each) => each !== '')
    .map((each) => each.split(' as '))
    .map(([original = '', here = original]) => [original, here] as const);
}

/** Returns the file of an import; undefined for one of a library. */
export function fileOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) return join(from, '..', specifier.replace(/\.ts$/, '.d.ts'));
  const [, entry] = /^@gatehouse\/domain(?:\/(.+))?$/.exec(specifier) ?? [specifier, null];
  if (entry === null) return undefined;
  if (entry === undefined) return 'domain/src/index.d.ts';
  return entry === 'testing' ? 'domain/testing/index.d.ts' : `domain/src/${entry}/index.d.ts`;
}
