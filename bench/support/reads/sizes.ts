// Sizes of a load, and the owner of each row.

export type Sizes = { domains: number; customers: number; audit_rows: number; entries: number }

export function sizesOf(scale: number): Sizes {
  const at = (most: number) => Math.max(20, Math.round(most * scale))
  return {
    domains: at(1_000_000),
    customers: at(100_000),
    audit_rows: at(10_000_000),
    entries: at(2_500_000),
  }
}

/** The id of customer `n` of the load; customer 0 owns a twentieth of everything. */
export const customerId = (n: number | string) =>
  typeof n === 'number'
    ? `cus_${String(n).padStart(26, '0')}`
    : `'cus_' || lpad((${n})::text, 26, '0')`

/** SQL for the number of the owner of row `i`. Adjacent rows of a table have different owners. */
export const ownerNumber = ({ customers }: Sizes) =>
  `case when i % 20 = 0 then 0 else i % ${customers} end`
/** SQL for the owner of row `i`. */
export const owner = (sizes: Sizes) => customerId(ownerNumber(sizes))
/** SQL for a domain that belongs to the owner of row `i`. */
export const nameOf = ({ domains }: Sizes) => `'d' || (i % ${domains}) || '.com'`
/**
 * SQL for the time at which row `i` of a given number was made. The times fill all partitions up to
 * now.
 */
export const spread = (rows: number) => {
  const month = `interval '${partition_months} months'`
  return `(now() - (${rows} - i) * (${partitions_of_load} * ${month} / ${rows}))::timestamptz(3)`
}
/** The number of partitions of each table, up to the present. */
export const partitions_of_load = 36
export const partition_months = 3
export const hash = (seed: string) => `sha256(convert_to(${seed}, 'UTF8'))`

export type Table = { table: string; rows: number; columns: string; values: string }
