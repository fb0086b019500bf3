// Lines of the statement. The API has no filter by type, so pages are read on until enough lines of
// the type are there.
import { useEffect, useEffectEvent, useState } from 'react'
import type { LedgerTransaction } from 'sdk'
import { type Currency, useTransactions } from '../../lib/money/balance-queries.ts'

const page_size = 50
/** Of a page that is searched for a type, and how many are searched without being asked again. */
const searched = { page_size: 500, pages: 10 }

export type LineType = LedgerTransaction['type']

export function useStatementLines(currency: Currency, type: LineType | '') {
  const limit = type === '' ? page_size : searched.page_size
  const query = useTransactions({ currency, limit })
  const [rounds, setRounds] = useState(1)
  const pages = query.data?.pages ?? []
  const loaded = query.data && pages.flatMap(({ transactions }) => transactions)
  const lines = loaded?.filter((line) => type === '' || line.type === type)
  const wanted = rounds * page_size
  const isSearching =
    type !== '' &&
    query.hasNextPage &&
    !query.isError &&
    (lines?.length ?? 0) < wanted &&
    pages.length < rounds * searched.pages
  const readOn = useEffectEvent(() => void query.fetchNextPage())
  useEffect(() => {
    // Again after each page.
    if (isSearching && pages.length > 0) readOn()
  }, [isSearching, pages.length])
  return {
    query,
    lines,
    /** How many lines were looked at. */
    loaded: loaded?.length ?? 0,
    isSearching,
    more: () => {
      if (type === '') void query.fetchNextPage()
      else setRounds(rounds + 1)
    },
    /** Another type is searched from the start. */
    restart: () => setRounds(1),
  }
}
