// Made by src/db/typegen.ts from the database itself. Do not edit: `bin/check --write` renews it.
import type { Json, Jsonb } from './column-types.ts'

export interface Statements {
  db_migrations: {
    params: []
    row: { number: number; name: string; sha256: string; applied_at: Date }
  }
  db_ping: {
    params: []
    row: { now: Date }
  }
}

export type { Json, Jsonb }
