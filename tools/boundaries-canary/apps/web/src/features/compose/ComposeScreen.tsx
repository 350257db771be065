import { Dialog } from '@base-ui/react/dialog'; // violates: library-home biome: noRestrictedImports
import { message } from '@keyfold/crypto/message'; // violates: web-crypto-entry
import { markRead } from '../mail/state/mutations.ts'; // violates: web-feature-import


export const ComposeScreen = [Dialog, message, markRead];
