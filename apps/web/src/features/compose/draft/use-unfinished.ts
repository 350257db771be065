// Recipients that are still being typed when the composer is to do something: none of them may be lost.
import { useMemo } from 'react';
import type { RecipientFieldName } from './view-model.ts';

type Finish = () => boolean;

/** `noteField` is each field's ref; `finishTyping` makes chips of what is typed, and says whether there was anything. */
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
