// One reading of the customer tool: in the role of the inspection, with an audit row that is stored
// before the response is given.
import type { App, AuditFacts, Call } from '../../app.ts'
import {
  type Inspection,
  InspectionRefused,
  type InspectionSql,
  InspectionTimedOut,
} from '../../db/inspection/inspection.ts'
import { notConfigured } from '../../errors/faults.ts'
import type { FaultType } from '../../kit/fault.ts'
import { storeAuditRow } from '../audit/index.ts'
import { queryTimedOut } from './faults.ts'

/** The faults of each operation of the tool. */
export const inspectionFaults: readonly FaultType[] = [notConfigured, queryTimedOut]

declare module '../../app.ts' {
  interface App {
    /** Null if the database has no role for it. */
    inspection: Inspection | null
  }
}

const retry_after_s = 2

/** Throws notConfigured if the role does not exist, queryTimedOut, or the error of the work. */
export async function inspect<T>(
  { inspection, log }: App,
  work: (sql: InspectionSql) => Promise<T>,
): Promise<T> {
  if (inspection === null) throw roleMissing()
  try {
    return await inspection.read(work)
  } catch (error) {
    if (error instanceof InspectionTimedOut) throw queryTimedOut({ retry_after_s, cause: error })
    if (!(error instanceof InspectionRefused)) throw error
    log.error({ err: error }, 'the role of the customer tool cannot be used')
    throw roleMissing()
  }
}

function roleMissing() {
  return notConfigured({
    detail: 'The database has no role for the customer tool that this service may work as.',
    hint:
      'An operator must run the service with a database user that may make roles, or make them ' +
      'by hand.',
  })
}

/** An answer is given only once its audit row is stored. */
export async function noteReading(app: App, call: Call, facts: AuditFacts): Promise<void> {
  await storeAuditRow(app.db, call.auditRow({ ...facts, status_code: 200 }))
}
