// Keys of the queries of customers, which a decision about an account makes stale.
export const customersKey = 'operator-customers'
export const profileKey = 'operator-customer'
