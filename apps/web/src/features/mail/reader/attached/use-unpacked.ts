// Handles messages whose winmail.dat is a separately sealed file. It is fetched and unpacked when
// the message is open; a message with its own text shows that meanwhile, others wait for the
// unpacked text.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { findEnvelopes } from '../../../../crypto/mail/envelopes.ts';
import { type WholeMail, wholeMailQuery } from '../../state/queries.ts';

const isPacked = ({ content }: WholeMail): boolean =>
  content.failed === null && content.kind === 'mail' && findEnvelopes(content.parsed).length > 0;

const hasText = ({ content: { parsed } }: WholeMail): boolean =>
  parsed.html !== null || (parsed.text ?? '').trim() !== '';

/** Returns the messages that can be shown. */
export function useUnpacked(wholes: ReadonlyMap<string, WholeMail>): ReadonlyMap<string, WholeMail> {
  const cache = useQueryClient();
  const asked = useRef(new Set<WholeMail>());
  const [settled, setSettled] = useState<ReadonlySet<WholeMail>>(new Set());
  useEffect(() => {
    for (const whole of wholes.values()) {
      if (!isPacked(whole) || asked.current.has(whole)) continue;
      asked.current.add(whole);
      void (async () => {
        const { unpackEnvelopes } = await import('../../state/unpack-envelopes.ts');
        const content = await unpackEnvelopes(whole.mail, whole.content);
        if (content !== whole.content)
          cache.setQueryData(wholeMailQuery(whole.mail.id).queryKey, { ...whole, content });
      })()
        .catch(() => undefined)
        .finally(() => setSettled(before => new Set([...before, whole])));
    }
  }, [wholes, cache]);
  return useMemo(() => {
    const waits = (whole: WholeMail) => isPacked(whole) && !hasText(whole) && !settled.has(whole);
    const shown = [...wholes].filter(([, whole]) => !waits(whole));
    return shown.length === wholes.size ? wholes : new Map(shown);
  }, [wholes, settled]);
}
