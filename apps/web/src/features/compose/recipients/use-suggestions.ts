/**
 * Live suggestions for a recipient field: text typed before the people are loaded gets suggestions
 * once they are.
 */
import { useEffect, useState } from 'react';
import { suggestPeople, warmPeople } from './people.ts';

export function useSuggestions(): typeof suggestPeople {
  const [suggest, setSuggest] = useState(() => suggestPeople);
  useEffect(() => void warmPeople().then(() => setSuggest(() => (text: string) => suggestPeople(text))), []);
  return suggest;
}
