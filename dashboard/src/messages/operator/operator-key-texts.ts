// Texts of the page of operator keys.
import { operatorTexts } from './operator-texts.ts'

export const operatorKeyTexts = {
  title: operatorTexts.pages.keys,
  subtitle: 'One for each person and program. The audit log names the operator by the key’s name.',
  create: 'Create key',
  createText: 'It has every right of an operator. Customers see its name in their audit log.',
  name: 'Name',
  nameHint: 'The name of its holder. A name is never used twice.',
  current: 'This session',
  revoked: 'Revoked',
  created: (day: string) => `Created ${day}`,
  rotatedAt: (day: string) => `Rotated ${day}`,
  used: (ago: string) => `Last used ${ago}`,
  neverUsed: 'Not used yet',
  rotate: 'Rotate',
  rotateOf: (name: string) => `Rotate the key of ${name}?`,
  rotateText: 'It gets a new secret. The old one and its sessions end at once.',
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke the key of ${name}?`,
  revokeText: 'Its access and its sessions end at once. This cannot be undone.',
  revokeDone: (name: string) => `The key of ${name} is revoked`,
  showRevoked: (count: number) =>
    count === 1 ? 'Show 1 revoked key' : `Show ${count} revoked keys`,
  hideRevoked: 'Hide revoked keys',
  ofSettings: 'Set by OPERATOR_KEY',
  secret: {
    title: 'Copy the operator key',
    text: 'It is shown only now: the service keeps just its hash.',
    stored: 'I have stored it',
  },
} as const
