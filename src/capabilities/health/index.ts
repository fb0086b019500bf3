// The health module: whether this service can do its work.
import { getHealth } from './health.ts'

export const operations = [getHealth]
