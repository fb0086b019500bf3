// The health module: a health check of this service and of the systems that it depends on.
import { getHealth } from './health.ts'

export const operations = [getHealth]
