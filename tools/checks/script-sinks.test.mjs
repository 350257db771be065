import { expect, it } from 'vitest';
import { checkScriptSinks, findPolicyProblems, findSinkProblems } from './script-sinks.mjs';

it.each([
  'box.innerHTML = text',
  'box.outerHTML += text',
  'frame.srcdoc = text',
  '<iframe srcDoc={text} />',
  "box.insertAdjacentHTML('beforeend', text)",
  'document.writeln(text)',
  "new DOMParser().parseFromString(text, 'text/html')",
  'new Worker(url)',
  'new SharedWorker(url)',
  'importScripts(url)',
  'eval(text)',
  'new Function(text)',
  '<p dangerouslySetInnerHTML={{ __html: text }} />',
  'range.createContextualFragment(text)',
  "navigator.serviceWorker.register('/a.js')",
  'box.setHTMLUnsafe(text)',
  'context.audioWorklet.addModule(url)',
  "trustedTypes.createPolicy('default', rules)",
])('finds %s', text => {
  expect(findSinkProblems({ 'a.ts': `x;\n${text};` }, {})).toHaveLength(1);
  expect(findSinkProblems({ 'a.ts': text }, { 'a.ts': 1 })).toEqual([]);
  expect(findSinkProblems({ 'a.ts': `${text};\n${text}` }, { 'a.ts': 1 })).toHaveLength(1);
});

it('ignores reads and refuses an entry for a missing place', () => {
  const text =
    'if (box.innerHTML === a.outerHTML) parser.parse(evaluate(box)); interface A { createPolicy(name: string): B }';
  expect(findSinkProblems({ 'a.ts': text }, {})).toEqual([]);
  expect(findSinkProblems({ 'a.ts': text }, { 'a.ts': 1 })).toHaveLength(1);
  expect(findSinkProblems({}, { 'a.ts': 1 })).toEqual(['a.ts: is listed but does not exist']);
});

it('requires the created policies to be listed, and every sink to refuse plain text', () => {
  const sources = { 'a.ts': "trustedTypes.createPolicy('workers', rules)" };
  const required = `"require-trusted-types-for 'script'"`;
  expect(findPolicyProblems(sources, `${required}, 'trusted-types ProseMirrorClipboard workers'`)).toEqual(
    [],
  );
  expect(findPolicyProblems(sources, `${required}, 'trusted-types workers'`)).toHaveLength(1);
  expect(
    findPolicyProblems(sources, `${required}, 'trusted-types a workers ProseMirrorClipboard'`),
  ).toHaveLength(1);
  expect(findPolicyProblems(sources, "'trusted-types workers ProseMirrorClipboard'")).toHaveLength(1);
});

it('lists every sink of the repository', () => {
  expect(checkScriptSinks()).toEqual([]);
});
