/**
 * State of the recipient fields: live suggestions, and recipients that are still being typed when
 * the composer acts.
 */
import { useEffect, useMemo, useState } from 'react';
import type { RecipientFieldName } from '../draft/view-model.ts';
import { suggestPeople, warmPeople } from './people.ts';

/**
 * Provides suggestions: text typed before the people are loaded gets suggestions once they are.
 */
export function useSuggestions(): typeof suggestPeople {
  const [suggest, setSuggest] = useState(() => suggestPeople);
  useEffect(() => void warmPeople().then(() => setSuggest(() => (text: string) => suggestPeople(text))), []);
  return suggest;
}

type Finish = () => boolean;

/**
 * Completes recipients that are still being typed, so that none is lost. `noteField` is the ref
 * of each field; `finishTyping` turns typed text into chips and returns whether there was any.
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
