// The mail room: how other rooms tell people what happened.
export type { Letter } from './letter.ts'
export { customerMail, type QueuedMail, queueMail } from './queue.ts'
export { oneLine, words } from './words.ts'
