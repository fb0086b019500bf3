// The sandbox room: the pretend world's time and faults, for operators; absent in production.
import type { Operation } from '../../app.ts'

export { followSandboxClock } from './calendar.ts'

export const operations: Operation[] = []
