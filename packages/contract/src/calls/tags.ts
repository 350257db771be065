/**
 * Tags: names with one of eight colors, and the messages that have them (docs/spec-map.md 3, 4, 7;
 * docs/interpretations.md#59).
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { idList } from '../core/fields.ts';
import { TAGS_MAX } from '../core/limits.ts';
import { tag } from '../core/user.ts';

const tagName = tag.shape.name;
const updated = dataOf(z.object({ updated: z.number() }));

export const tagsCalls = {
  save: defineCall({
    method: 'POST',
    path: '/user/tags',
    access: 'user',
    about: 'Creates a tag, or changes the color of the tag with that name.',
    input: z.object({ tag }),
    output: dataOf(tag),
    isRepeatable: true,
  }),
  rename: defineCall({
    method: 'PUT',
    path: '/user/tags',
    access: 'user',
    about: 'Changes the name and color of a tag. Its messages keep it.',
    input: z.object({ name: tagName, tag }),
    output: dataOf(tag),
  }),
  remove: defineCall({
    method: 'POST',
    path: '/user/delete_tag',
    access: 'user',
    about: 'Deletes a tag and removes it from its messages. `updated` is the number of messages.',
    input: z.object({ name: tagName }),
    output: updated,
  }),
  tag_email: defineCall({
    method: 'POST',
    path: '/user/tag_email',
    access: 'user',
    about: 'Replaces the tags of messages with these, which must exist. All or nothing.',
    input: z.object({ email_id: idList, tags: z.array(tagName).max(TAGS_MAX) }),
    output: updated,
    isRepeatable: true,
  }),
} as const;
