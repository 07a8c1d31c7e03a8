/** Finds the texts in a source file that a user may see: what screens show, and sentences in messages and errors. */
import { parseSync } from 'vite';

/** Properties and attributes whose text is shown, even when it is one lower-case word. */
const SHOWN =
  /^(aria-(label|description|roledescription|valuetext)|alt|caption|description|detail|empty|error|failed|heading|help|hint|label|message|note|placeholder|reason|subtitle|summary|text|title|tooltip|unit|usage|warning)$|(Label|Text|Title|Message)$/;
/** Attributes that users do not see. */
const UNSEEN =
  /^(className|classNames|style|styles|href|to|from|id|key|type|role|rel|target|d|viewBox|variant|size|color|[cw]|[mp][trblxy]?|data-.*)$/;
/** Calls whose strings are names of something, not texts. */
const UNREAD_CALLS = /^(require|import|describe|querySelector|querySelectorAll|getElementById)$/;

/** Two words with a space between them, at least one of three letters: a sentence or part of one. */
const isSentence = (text) =>
  /\p{L}{2,}[\p{L}\p{N}'’`").,:;%…-]*\s+\S*\p{L}/u.test(text) && /\p{L}{3}/u.test(text);
const hasLetters = (text) => /\p{L}{2}/u.test(text);
const tidy = (text) => text.replace(/\s+/g, ' ').trim();

const nameOf = (node) => node?.name?.name ?? node?.name ?? node?.value ?? '';

/** The text of a string, a template (placeholders as `{…}`) or a sum of these; null for anything else. */
function textOf(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral')
    return node.quasis.map((quasi) => quasi.value.cooked ?? '').join('{…}');
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const sides = [node.left, node.right].map(textOf);
    if (sides.every((side) => side === null)) return null;
    return sides.map((side) => side ?? '{…}').join('');
  }
  return null;
}

/** The children of an element as one line, with expressions between tags as `{…}`. */
function lineOf(children) {
  const parts = children.map((child) => {
    if (child.type === 'JSXText') return child.value;
    if (child.type !== 'JSXExpressionContainer') return '{…}';
    return textOf(child.expression) ?? '{…}';
  });
  return tidy(parts.join(''));
}

const childNodes = (node) =>
  Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === 'string');

/**
 * @param {string} source
 * @param {string} file its name; the suffix determines how it is parsed
 * @returns {{ line: number, text: string }[]} in file order
 */
export function findTexts(source, file) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = [];
  const add = (node, text) =>
    found.push({ line: source.slice(0, node.start).split('\n').length, text: tidy(text) });

  /** `isShown`: the strings here are shown, however short. */
  const visit = (node, isShown) => {
    const text = textOf(node);
    if (text !== null) {
      if (isShown ? hasLetters(text) : isSentence(text)) add(node, text);
      if (node.type === 'TemplateLiteral') for (const hole of node.expressions) visit(hole, false);
      if (node.type !== 'BinaryExpression') return;
    }
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAnnotation':
      case 'TaggedTemplateExpression':
        return;
      case 'BinaryExpression':
        if (text === null) for (const child of childNodes(node)) visit(child, false);
        return;
      case 'ConditionalExpression':
        visit(node.test, false);
        visit(node.consequent, isShown);
        visit(node.alternate, isShown);
        return;
      case 'LogicalExpression':
        visit(node.left, isShown && node.operator !== '&&');
        visit(node.right, isShown);
        return;
      case 'JSXExpressionContainer':
        visit(node.expression, isShown);
        return;
      case 'JSXAttribute':
        if (node.value !== null && !UNSEEN.test(nameOf(node.name)))
          visit(node.value, SHOWN.test(nameOf(node.name)));
        return;
      case 'JSXElement':
      case 'JSXFragment': {
        const line = lineOf(node.children);
        if (hasLetters(line))
          add(
            node.children.find((child) => /\p{L}/u.test(source.slice(child.start, child.end))) ??
              node,
            line,
          );
        for (const child of childNodes(node)) {
          // A string alone between tags is part of the line.
          const inner = child.type === 'JSXExpressionContainer' ? child.expression : child;
          if (child.type === 'JSXText' || (inner !== child && textOf(inner) !== null)) continue;
          visit(child, child.type === 'JSXExpressionContainer');
        }
        return;
      }
      case 'Property':
        visit(node.value, SHOWN.test(nameOf(node.key)));
        return;
      case 'CallExpression':
        if (UNREAD_CALLS.test(nameOf(node.callee))) return;
        break;
      case 'ThrowStatement':
        for (const argument of node.argument.arguments ?? [node.argument]) visit(argument, false);
        return;
    }
    for (const child of childNodes(node)) visit(child, false);
  };
  visit(program, false);
  return found.sort((one, other) => one.line - other.line);
}
