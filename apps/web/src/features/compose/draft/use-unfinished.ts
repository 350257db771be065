// Completes recipients that are still being typed when the composer acts, so that none is lost.
import { useMemo } from 'react';
import type { RecipientFieldName } from './view-model.ts';

type Finish = () => boolean;

/**
 * `noteField` is the ref of each field; `finishTyping` turns typed text into chips and returns
 * whether there was any.
 */
export function useUnfinished() {
  return useMemo(() => {
    const fields = new Map<RecipientFieldName, Finish>();
    const note = (name: RecipientFieldName) => (finish: Finish | null) => {
      if (finish === null) fields.delete(name);
      else fields.set(name, finish);
    };
    const refs = { to: note('to'), cc: note('cc'), bcc: note('bcc') };
    return {
      noteField: (name: RecipientFieldName) => refs[name],
      finishTyping: () => [...fields.values()].map(finish => finish()).some(Boolean),
    };
  }, []);
}
