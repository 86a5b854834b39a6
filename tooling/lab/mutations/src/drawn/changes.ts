import { type ESTree, parseSync, Visitor } from 'vite';

export const KINDS = ['negated', 'comparison', 'connective', 'query'] as const;

/**
 * `negated`: a condition, or a part of one. `comparison`: another operator between two values. `connective`: `&&` for
 * `||` and the reverse. `query`: another operator in a condition of the query builder.
 */
export type Kind = (typeof KINDS)[number];

/** One way of breaking one condition of a source file. */
export interface Change {
  readonly kind: Kind;
  /** The part of the text that is replaced. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};

const CONNECTIVES: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

const QUERY_OPERATORS: Readonly<Record<string, string>> = {
  ...{ '=': '!=', '!=': '=', '<': '<=', '<=': '<', '>': '>=', '>=': '>', is: 'is not', 'is not': 'is' },
};

/** All changes of the conditions of a TypeScript file, in the order of the text. */
export function changesOf(file: string, text: string): readonly Change[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const changes: Change[] = [];

  const addOperator = (kind: Kind, { left, right, operator }: Binary, other: string | undefined) => {
    const start = text.indexOf(operator, left.end);
    if (other === undefined || start + operator.length > right.start) return;
    changes.push({ kind, start, end: start + operator.length, replacement: other });
  };
  const negate = (condition: ESTree.Expression) => {
    if (isConnective(condition)) {
      negate(condition.left);
      negate(condition.right);
    }
    // This would be the same as another operator.
    if (condition.type === 'BinaryExpression' && /^[!=]==$/.test(condition.operator)) return;
    const { start, end } = condition;
    if (changes.some((change) => change.kind === 'negated' && change.start === start && change.end === end)) {
      return;
    }
    changes.push({ kind: 'negated', start, end, replacement: `!(${text.slice(start, end)})` });
  };
  const negateTest = ({ test }: { readonly test: ESTree.Expression | null }) => {
    if (test !== null) negate(test);
  };

  new Visitor({
    IfStatement: negateTest,
    ConditionalExpression: negateTest,
    WhileStatement: negateTest,
    DoWhileStatement: negateTest,
    ForStatement: negateTest,
    LogicalExpression(node) {
      if (!isConnective(node)) return;
      addOperator('connective', node, CONNECTIVES[node.operator]);
      // The right side may be a value.
      negate(node.left);
    },
    BinaryExpression(node) {
      addOperator('comparison', node as Binary, COMPARISONS[node.operator]);
    },
    CallExpression(node) {
      for (const argument of node.arguments.slice(1, -1)) {
        if (argument.type !== 'Literal' || typeof argument.value !== 'string') continue;
        const other = QUERY_OPERATORS[argument.value];
        if (other === undefined) continue;
        const { start, end } = argument;
        changes.push({ kind: 'query', start, end, replacement: `'${other}'` });
      }
    },
  }).visit(program);

  return changes
    .filter((change) => parseSync(file, applyChange(text, change)).errors.length === 0)
    .sort((one, other) => one.start - other.start || one.end - other.end);
}

export function applyChange(text: string, { start, end, replacement }: Change): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

interface Binary {
  readonly left: { readonly end: number };
  readonly right: { readonly start: number };
  readonly operator: string;
}

function isConnective(node: ESTree.Expression): node is ESTree.LogicalExpression {
  return node.type === 'LogicalExpression' && node.operator !== '??';
}
