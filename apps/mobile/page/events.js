/**
 * Server-sent events (WHATWG HTML §9.2) over fetch, which can send a token, unlike the browser's
 * EventSource. Implements only the parts of EventSource that the web client uses: it reconnects by
 * itself when a stream ends.
 */

/** Parses the lines of one event; returns null for a comment. */
export function readEvent(block) {
  let type = 'message';
  const data = [];
  for (const line of block.split('\n')) {
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') type = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? null : { type, data: data.join('\n') };
}

export class ShellEvents extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 2;
  readyState = ShellEvents.CONNECTING;
  #ending = new AbortController();

  /** `ask` makes the request with an abort signal. */
  constructor(ask) {
    super();
    void this.#read(ask);
  }

  close() {
    this.readyState = ShellEvents.CLOSED;
    this.#ending.abort();
  }

  async #read(ask) {
    try {
      const answer = await ask(this.#ending.signal);
      if (!answer.ok || answer.body === null) throw new Error('Refused');
      this.readyState = ShellEvents.OPEN;
      this.dispatchEvent(new Event('open'));
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new Error('Ended');
        const blocks = (text + value.replaceAll('\r\n', '\n')).split('\n\n');
        text = blocks.pop() ?? '';
        for (const event of blocks.map(readEvent))
          if (event !== null) this.dispatchEvent(new MessageEvent(event.type, { data: event.data }));
      }
    } catch {
      if (this.#ending.signal.aborted) return;
      this.readyState = ShellEvents.CLOSED;
      this.dispatchEvent(new Event('error'));
    }
  }
}
