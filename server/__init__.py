"""The table manager: tables, seats, clocks, faults, the gateway and the supervisor."""
