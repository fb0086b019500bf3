// Lines of the statement. The API has no filter by type, so further pages are read until enough
// lines have the type.
import { useEffect, useEffectEvent, useState } from 'react'
import type { LedgerTransaction } from 'sdk'
import { type Currency, useTransactions } from '../../lib/money/balance-queries.ts'

const page_size = 50
/**
 * The size of a page that is searched for a type, and the number of pages that are searched at one
 * request of the user.
 */
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
    // The effect runs again after each page.
    if (isSearching && pages.length > 0) readOn()
  }, [isSearching, pages.length])
  return {
    query,
    lines,
    /** The number of lines that were looked at. */
    loaded: loaded?.length ?? 0,
    isSearching,
    more: () => {
      if (type === '') void query.fetchNextPage()
      else setRounds(rounds + 1)
    },
    /** Called for another type, which is searched from the start. */
    restart: () => setRounds(1),
  }
}
