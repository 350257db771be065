/** Suggestions for a recipient field, live: what is typed before the people are loaded is suggested for once they are. */
import { useEffect, useState } from 'react';
import { suggestPeople, warmPeople } from './people.ts';

/** Suggests people for a text. */
export function useSuggestions(): typeof suggestPeople {
  const [suggest, setSuggest] = useState(() => suggestPeople);
  useEffect(() => void warmPeople().then(() => setSuggest(() => (text: string) => suggestPeople(text))), []);
  return suggest;
}
