/**
 * The screen that asks for the server: on the first start, and on every start while no user is
 * signed in.
 */
import { readServerAddress } from './server-address.js';
import { chooseTexts } from './texts.js';

/** Longest wait for an address that may not be a server, in milliseconds. docs/spec-map.md 9. */
const PATIENCE_MS = 30_000;

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Returns whether a Keyfold server answers at an address. */
async function isServer(address) {
  try {
    const answer = await fetch(`${address}/auth/domains`, {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { success, data } = await answer.json();
    return answer.ok && success === true && Array.isArray(data);
  } catch {
    return false;
  }
}

/**
 * Shows the screen; resolves with the origin of a server that has answered, after removing the
 * screen.
 */
export function chooseServer(last) {
  const { code, isRightToLeft, texts } = chooseTexts(navigator.languages);
  const input = make('input', {
    id: 'server',
    type: 'url',
    inputmode: 'url',
    autocapitalize: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
    placeholder: 'mail.example.org',
    'aria-describedby': 'server-problem',
    dir: 'ltr',
  });
  input.value = last ?? '';
  const problem = make('p', { id: 'server-problem', class: 'shell-problem', role: 'alert' });
  const button = make('button', { type: 'submit' }, texts.go);
  const form = make(
    'form',
    { novalidate: '' },
    make('label', { for: 'server' }, texts.label),
    input,
    problem,
    button,
  );
  const screen = make(
    'main',
    { class: 'shell-screen', lang: code, dir: isRightToLeft ? 'rtl' : 'ltr' },
    make('img', { src: '/favicon.svg', alt: '', width: '56', height: '56' }),
    make('h1', {}, texts.title),
    make('p', { class: 'shell-hint' }, texts.hint),
    form,
  );
  document.body.prepend(screen);
  return new Promise(resolve => {
    const fail = text => {
      problem.textContent = text;
      input.setAttribute('aria-invalid', 'true');
      input.focus();
    };
    form.addEventListener('submit', async event => {
      event.preventDefault();
      if (button.hasAttribute('aria-busy')) return;
      const address = readServerAddress(input.value);
      if (address === null) return fail(texts.invalid);
      problem.textContent = '';
      input.removeAttribute('aria-invalid');
      button.setAttribute('aria-busy', 'true');
      button.textContent = texts.busy;
      const isThere = await isServer(address);
      button.removeAttribute('aria-busy');
      button.textContent = texts.go;
      if (!isThere) return fail(texts.absent.replace('{address}', address));
      screen.remove();
      resolve(address);
    });
  });
}
