import { Dialog } from '@base-ui/react/dialog'; // violates: library-home biome: noRestrictedImports
import { message } from '@keyfold/crypto/message'; // violates: web-crypto-door
import { markRead } from '../mail/state/mutations.ts'; // violates: web-feature-door


export const ComposeScreen = [Dialog, message, markRead];
