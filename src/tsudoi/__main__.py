from tsudoi.cli import main

main()
